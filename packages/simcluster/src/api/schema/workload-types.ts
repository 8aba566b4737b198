/**
 * Fields of API types, from the Kubernetes API reference and the .proto files of k8s.io/api (v1.35). type-row.ts
 * explains the format of a row.
 */
export const APPS: Readonly<Record<string, string>> = {
  ControllerRevision: 'metadata:1meta.ObjectMeta data:2j revision:3i!',
  DaemonSet: 'metadata:1meta.ObjectMeta spec:2DaemonSetSpec status:3DaemonSetStatus',
  DaemonSetSpec:
    'selector:1meta.LabelSelector*! template:2core.PodTemplateSpec! updateStrategy:3DaemonSetUpdateStrategy minReadySeconds:4i revisionHistoryLimit:6i*',
  DaemonSetUpdateStrategy: 'type:1s rollingUpdate:2RollingUpdateDaemonSet*',
  RollingUpdateDaemonSet: 'maxUnavailable:1x* maxSurge:2x*',
  DaemonSetStatus:
    'currentNumberScheduled:1i! numberMisscheduled:2i! desiredNumberScheduled:3i! numberReady:4i! observedGeneration:5i updatedNumberScheduled:6i numberAvailable:7i numberUnavailable:8i collisionCount:9i* conditions:10{type}DaemonSetCondition~type',
  DaemonSetCondition: 'type:1s! status:2s! lastTransitionTime:3t reason:4s message:5s',
  Deployment: 'metadata:1meta.ObjectMeta spec:2DeploymentSpec status:3DeploymentStatus',
  DeploymentSpec:
    'replicas:1i* selector:2meta.LabelSelector*! template:3core.PodTemplateSpec! strategy:4DeploymentStrategy~retainKeys minReadySeconds:5i revisionHistoryLimit:6i* paused:7b progressDeadlineSeconds:9i*',
  DeploymentStrategy: 'type:1s rollingUpdate:2RollingUpdateDeployment*',
  RollingUpdateDeployment: 'maxUnavailable:1x* maxSurge:2x*',
  DeploymentStatus:
    'observedGeneration:1i replicas:2i updatedReplicas:3i readyReplicas:7i availableReplicas:4i unavailableReplicas:5i terminatingReplicas:9i* conditions:6{type}DeploymentCondition~type collisionCount:8i*',
  DeploymentCondition: 'type:1s! status:2s! lastUpdateTime:6t lastTransitionTime:7t reason:4s message:5s',
  ReplicaSet: 'metadata:1meta.ObjectMeta spec:2ReplicaSetSpec status:3ReplicaSetStatus',
  ReplicaSetSpec:
    'replicas:1i* minReadySeconds:4i selector:2meta.LabelSelector*! template:3core.PodTemplateSpec',
  ReplicaSetStatus:
    'replicas:1i! fullyLabeledReplicas:2i readyReplicas:4i availableReplicas:5i terminatingReplicas:7i* observedGeneration:3i conditions:6{type}ReplicaSetCondition~type',
  ReplicaSetCondition: 'type:1s! status:2s! lastTransitionTime:3t reason:4s message:5s',
  StatefulSet: 'metadata:1meta.ObjectMeta spec:2StatefulSetSpec status:3StatefulSetStatus',
  StatefulSetSpec:
    'replicas:1i* selector:2meta.LabelSelector*! template:3core.PodTemplateSpec! volumeClaimTemplates:4[core.PersistentVolumeClaim serviceName:5s! podManagementPolicy:6s updateStrategy:7StatefulSetUpdateStrategy revisionHistoryLimit:8i* minReadySeconds:9i persistentVolumeClaimRetentionPolicy:10StatefulSetPersistentVolumeClaimRetentionPolicy* ordinals:11StatefulSetOrdinals*',
  StatefulSetUpdateStrategy: 'type:1s rollingUpdate:2RollingUpdateStatefulSetStrategy*',
  RollingUpdateStatefulSetStrategy: 'partition:1i* maxUnavailable:2x*',
  StatefulSetPersistentVolumeClaimRetentionPolicy: 'whenDeleted:1s whenScaled:2s',
  StatefulSetOrdinals: 'start:1i!',
  StatefulSetStatus:
    'observedGeneration:1i replicas:2i! readyReplicas:3i currentReplicas:4i updatedReplicas:5i currentRevision:6s updateRevision:7s collisionCount:9i* conditions:10{type}StatefulSetCondition~type availableReplicas:11i!',
  StatefulSetCondition: 'type:1s! status:2s! lastTransitionTime:3t reason:4s message:5s',
};

export const BATCH: Readonly<Record<string, string>> = {
  CronJob: 'metadata:1meta.ObjectMeta spec:2CronJobSpec status:3CronJobStatus',
  CronJobSpec:
    'schedule:1s! timeZone:8s* startingDeadlineSeconds:2i* concurrencyPolicy:3s suspend:4b* jobTemplate:5JobTemplateSpec! successfulJobsHistoryLimit:6i* failedJobsHistoryLimit:7i*',
  JobTemplateSpec: 'metadata:1meta.ObjectMeta spec:2JobSpec',
  JobSpec:
    'parallelism:1i* completions:2i* activeDeadlineSeconds:3i* podFailurePolicy:11PodFailurePolicy* successPolicy:16SuccessPolicy* backoffLimit:7i* backoffLimitPerIndex:12i* maxFailedIndexes:13i* selector:4meta.LabelSelector* manualSelector:5b* template:6core.PodTemplateSpec! ttlSecondsAfterFinished:8i* completionMode:9s* suspend:10b* podReplacementPolicy:14s* managedBy:15s*',
  PodFailurePolicy: 'rules:1[PodFailurePolicyRule!',
  PodFailurePolicyRule:
    'action:1s! onExitCodes:2PodFailurePolicyOnExitCodesRequirement* onPodConditions:3[PodFailurePolicyOnPodConditionsPattern',
  PodFailurePolicyOnExitCodesRequirement: 'containerName:1s* operator:2s! values:3<i!',
  PodFailurePolicyOnPodConditionsPattern: 'type:1s! status:2s!',
  SuccessPolicy: 'rules:1[SuccessPolicyRule!',
  SuccessPolicyRule: 'succeededIndexes:1s* succeededCount:2i*',
  CronJobStatus: 'active:1[core.ObjectReference lastScheduleTime:4t* lastSuccessfulTime:5t*',
  Job: 'metadata:1meta.ObjectMeta spec:2JobSpec status:3JobStatus',
  JobStatus:
    'conditions:1[JobCondition~type startTime:2t* completionTime:3t* active:4i succeeded:5i failed:6i terminating:11i* completedIndexes:7s failedIndexes:10s* uncountedTerminatedPods:8UncountedTerminatedPods* ready:9i*',
  JobCondition: 'type:1s! status:2s! lastProbeTime:3t lastTransitionTime:4t reason:5s message:6s',
  UncountedTerminatedPods: 'succeeded:1<s failed:2<s',
};

export const AUTOSCALING: Readonly<Record<string, string>> = {
  HorizontalPodAutoscaler:
    'metadata:1meta.ObjectMeta spec:2HorizontalPodAutoscalerSpec status:3HorizontalPodAutoscalerStatus',
  HorizontalPodAutoscalerSpec:
    'scaleTargetRef:1CrossVersionObjectReference! minReplicas:2i* maxReplicas:3i! metrics:4[MetricSpec behavior:5HorizontalPodAutoscalerBehavior*',
  CrossVersionObjectReference: 'kind:1s! name:2s! apiVersion:3s',
  MetricSpec:
    'type:1s! object:2ObjectMetricSource* pods:3PodsMetricSource* resource:4ResourceMetricSource* containerResource:7ContainerResourceMetricSource* external:5ExternalMetricSource*',
  ObjectMetricSource:
    'describedObject:1CrossVersionObjectReference! target:2MetricTarget! metric:3MetricIdentifier!',
  MetricTarget: 'type:1s! value:2q* averageValue:3q* averageUtilization:4i*',
  MetricIdentifier: 'name:1s! selector:2meta.LabelSelector*',
  PodsMetricSource: 'metric:1MetricIdentifier! target:2MetricTarget!',
  ResourceMetricSource: 'name:1s! target:2MetricTarget!',
  ContainerResourceMetricSource: 'name:1s! target:2MetricTarget! container:3s!',
  ExternalMetricSource: 'metric:1MetricIdentifier! target:2MetricTarget!',
  HorizontalPodAutoscalerBehavior: 'scaleUp:1HPAScalingRules* scaleDown:2HPAScalingRules*',
  HPAScalingRules:
    'stabilizationWindowSeconds:3i* selectPolicy:1s* policies:2[HPAScalingPolicy tolerance:4q*',
  HPAScalingPolicy: 'type:1s! value:2i! periodSeconds:3i!',
  HorizontalPodAutoscalerStatus:
    'observedGeneration:1i* lastScaleTime:2t* currentReplicas:3i desiredReplicas:4i! currentMetrics:5[MetricStatus! conditions:6{type}HorizontalPodAutoscalerCondition~type',
  MetricStatus:
    'type:1s! object:2ObjectMetricStatus* pods:3PodsMetricStatus* resource:4ResourceMetricStatus* containerResource:7ContainerResourceMetricStatus* external:5ExternalMetricStatus*',
  ObjectMetricStatus:
    'metric:1MetricIdentifier! current:2MetricValueStatus! describedObject:3CrossVersionObjectReference!',
  MetricValueStatus: 'value:1q* averageValue:2q* averageUtilization:3i*',
  PodsMetricStatus: 'metric:1MetricIdentifier! current:2MetricValueStatus!',
  ResourceMetricStatus: 'name:1s! current:2MetricValueStatus!',
  ContainerResourceMetricStatus: 'name:1s! current:2MetricValueStatus! container:3s!',
  ExternalMetricStatus: 'metric:1MetricIdentifier! current:2MetricValueStatus!',
  HorizontalPodAutoscalerCondition: 'type:1s! status:2s! lastTransitionTime:3t reason:4s message:5s',
};

export const AUTOSCALING1: Readonly<Record<string, string>> = {
  HorizontalPodAutoscaler:
    'metadata:1meta.ObjectMeta spec:2HorizontalPodAutoscalerSpec status:3HorizontalPodAutoscalerStatus',
  HorizontalPodAutoscalerSpec:
    'scaleTargetRef:1CrossVersionObjectReference! minReplicas:2i* maxReplicas:3i! targetCPUUtilizationPercentage:4i*',
  CrossVersionObjectReference: '@kind:1s! name:2s! apiVersion:3s',
  HorizontalPodAutoscalerStatus:
    'observedGeneration:1i* lastScaleTime:2t* currentReplicas:3i! desiredReplicas:4i! currentCPUUtilizationPercentage:5i*',
  Scale: 'metadata:1meta.ObjectMeta spec:2ScaleSpec status:3ScaleStatus',
  ScaleSpec: 'replicas:1i',
  ScaleStatus: 'replicas:1i! selector:2s',
};

export const POLICY: Readonly<Record<string, string>> = {
  PodDisruptionBudget:
    'metadata:1meta.ObjectMeta spec:2PodDisruptionBudgetSpec status:3PodDisruptionBudgetStatus',
  PodDisruptionBudgetSpec:
    'minAvailable:1x* selector:2meta.LabelSelector*~replace maxUnavailable:3x* unhealthyPodEvictionPolicy:4s*',
  PodDisruptionBudgetStatus:
    'observedGeneration:1i disruptedPods:2%t disruptionsAllowed:3i! currentHealthy:4i! desiredHealthy:5i! expectedPods:6i! conditions:7{type}meta.Condition~type',
  Eviction: 'metadata:1meta.ObjectMeta deleteOptions:2meta.DeleteOptions*',
};
