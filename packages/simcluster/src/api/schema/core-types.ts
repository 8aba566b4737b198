/**
 * Fields of API types, from the Kubernetes API reference and the .proto files of k8s.io/api (v1.35). type-row.ts
 * explains the format of a row.
 */
export const CORE: Readonly<Record<string, string>> = {
  ConfigMap: 'metadata:1meta.ObjectMeta immutable:4b* data:2%s binaryData:3%y',
  Endpoints: 'metadata:1meta.ObjectMeta subsets:2[EndpointSubset',
  EndpointSubset: 'addresses:1[EndpointAddress notReadyAddresses:2[EndpointAddress ports:3[EndpointPort',
  EndpointAddress: '@ip:1s! hostname:3s nodeName:4s* targetRef:2ObjectReference*',
  ObjectReference: '@kind:1s namespace:2s name:3s uid:4s apiVersion:5s resourceVersion:6s fieldPath:7s',
  EndpointPort: '@name:1s port:2i! protocol:3s appProtocol:4s*',
  Event:
    'metadata:1meta.ObjectMeta! involvedObject:2ObjectReference! reason:3s message:4s source:5EventSource firstTimestamp:6t lastTimestamp:7t count:8i type:9s eventTime:10u series:11EventSeries* action:12s related:13ObjectReference* reportingComponent:14s! reportingInstance:15s!',
  EventSource: 'component:1s host:2s',
  EventSeries: 'count:1i lastObservedTime:2u',
  LimitRange: 'metadata:1meta.ObjectMeta spec:2LimitRangeSpec',
  LimitRangeSpec: 'limits:1[LimitRangeItem!',
  LimitRangeItem: 'type:1s! max:2%q min:3%q default:4%q defaultRequest:5%q maxLimitRequestRatio:6%q',
  Namespace: 'metadata:1meta.ObjectMeta spec:2NamespaceSpec status:3NamespaceStatus',
  NamespaceSpec: 'finalizers:1[s',
  NamespaceStatus: 'phase:1s conditions:2{type}NamespaceCondition~type',
  NamespaceCondition: 'type:1s! status:2s! lastTransitionTime:4t reason:5s message:6s',
  Node: 'metadata:1meta.ObjectMeta spec:2NodeSpec status:3NodeStatus',
  NodeSpec:
    'podCIDR:1s podCIDRs:7<s~ providerID:3s unschedulable:4b taints:5[Taint configSource:6NodeConfigSource* externalID:2s',
  Taint: 'key:1s! value:2s effect:3s! timeAdded:4t*',
  NodeConfigSource: 'configMap:2ConfigMapNodeConfigSource*',
  ConfigMapNodeConfigSource: 'namespace:1s! name:2s! uid:3s resourceVersion:4s kubeletConfigKey:5s!',
  NodeStatus:
    'capacity:1%q allocatable:2%q phase:3s conditions:4{type}NodeCondition~type addresses:5{type}NodeAddress~type daemonEndpoints:6NodeDaemonEndpoints nodeInfo:7NodeSystemInfo images:8[ContainerImage volumesInUse:9[s volumesAttached:10[AttachedVolume config:11NodeConfigStatus* runtimeHandlers:12[NodeRuntimeHandler features:13NodeFeatures* declaredFeatures:14[s',
  NodeCondition: 'type:1s! status:2s! lastHeartbeatTime:3t lastTransitionTime:4t reason:5s message:6s',
  NodeAddress: 'type:1s! address:2s!',
  NodeDaemonEndpoints: 'kubeletEndpoint:1DaemonEndpoint',
  DaemonEndpoint: 'Port:1i!',
  NodeSystemInfo:
    'machineID:1s! systemUUID:2s! bootID:3s! kernelVersion:4s! osImage:5s! containerRuntimeVersion:6s! kubeletVersion:7s! kubeProxyVersion:8s! operatingSystem:9s! architecture:10s! swap:11NodeSwapStatus*',
  NodeSwapStatus: 'capacity:1i*',
  ContainerImage: 'names:1[s! sizeBytes:2i',
  AttachedVolume: 'name:1s! devicePath:2s!',
  NodeConfigStatus:
    'assigned:1NodeConfigSource* active:2NodeConfigSource* lastKnownGood:3NodeConfigSource* error:4s',
  NodeRuntimeHandler: 'name:1s! features:2NodeRuntimeHandlerFeatures*',
  NodeRuntimeHandlerFeatures: 'recursiveReadOnlyMounts:1b* userNamespaces:2b*',
  NodeFeatures: 'supplementalGroupsPolicy:1b*',
  PersistentVolumeClaim:
    'metadata:1meta.ObjectMeta spec:2PersistentVolumeClaimSpec status:3PersistentVolumeClaimStatus',
  PersistentVolumeClaimSpec:
    'accessModes:1[s selector:4meta.LabelSelector* resources:2VolumeResourceRequirements volumeName:3s storageClassName:5s* volumeMode:6s* dataSource:7TypedLocalObjectReference* dataSourceRef:8TypedObjectReference* volumeAttributesClassName:9s*',
  VolumeResourceRequirements: 'limits:1%q requests:2%q',
  TypedLocalObjectReference: '@apiGroup:1s*! kind:2s! name:3s!',
  TypedObjectReference: 'apiGroup:1s*! kind:2s! name:3s! namespace:4s*',
  PersistentVolumeClaimStatus:
    'phase:1s accessModes:2[s capacity:3%q conditions:4{type}PersistentVolumeClaimCondition~type allocatedResources:5%q allocatedResourceStatuses:7%s currentVolumeAttributesClassName:8s* modifyVolumeStatus:9ModifyVolumeStatus*',
  PersistentVolumeClaimCondition:
    'type:1s! status:2s! lastProbeTime:3t lastTransitionTime:4t reason:5s message:6s',
  ModifyVolumeStatus: 'targetVolumeAttributesClassName:1s status:2s!',
  PersistentVolume: 'metadata:1meta.ObjectMeta spec:2PersistentVolumeSpec status:3PersistentVolumeStatus',
  PersistentVolumeSpec:
    'capacity:1%q &2PersistentVolumeSource accessModes:3[s claimRef:4ObjectReference* persistentVolumeReclaimPolicy:5s storageClassName:6s mountOptions:7[s volumeMode:8s* nodeAffinity:9VolumeNodeAffinity* volumeAttributesClassName:10s*',
  PersistentVolumeSource:
    'gcePersistentDisk:1GCEPersistentDiskVolumeSource* awsElasticBlockStore:2AWSElasticBlockStoreVolumeSource* hostPath:3HostPathVolumeSource* glusterfs:4GlusterfsPersistentVolumeSource* nfs:5NFSVolumeSource* rbd:6RBDPersistentVolumeSource* iscsi:7ISCSIPersistentVolumeSource* cinder:8CinderPersistentVolumeSource* cephfs:9CephFSPersistentVolumeSource* fc:10FCVolumeSource* flocker:11FlockerVolumeSource* flexVolume:12FlexPersistentVolumeSource* azureFile:13AzureFilePersistentVolumeSource* vsphereVolume:14VsphereVirtualDiskVolumeSource* quobyte:15QuobyteVolumeSource* azureDisk:16AzureDiskVolumeSource* photonPersistentDisk:17PhotonPersistentDiskVolumeSource* portworxVolume:18PortworxVolumeSource* scaleIO:19ScaleIOPersistentVolumeSource* local:20LocalVolumeSource* storageos:21StorageOSPersistentVolumeSource* csi:22CSIPersistentVolumeSource*',
  GCEPersistentDiskVolumeSource: 'pdName:1s! fsType:2s partition:3i readOnly:4b',
  AWSElasticBlockStoreVolumeSource: 'volumeID:1s! fsType:2s partition:3i readOnly:4b',
  HostPathVolumeSource: 'path:1s! type:2s*',
  GlusterfsPersistentVolumeSource: 'endpoints:1s! path:2s! readOnly:3b endpointsNamespace:4s*',
  NFSVolumeSource: 'server:1s! path:2s! readOnly:3b',
  RBDPersistentVolumeSource:
    'monitors:1[s! image:2s! fsType:3s pool:4s=rbd user:5s=admin keyring:6s=/etc/ceph/keyring secretRef:7SecretReference* readOnly:8b',
  SecretReference: '@name:1s namespace:2s',
  ISCSIPersistentVolumeSource:
    'targetPortal:1s! iqn:2s! lun:3i! iscsiInterface:4s=default fsType:5s readOnly:6b portals:7[s chapAuthDiscovery:8b chapAuthSession:11b secretRef:10SecretReference* initiatorName:12s*',
  CinderPersistentVolumeSource: 'volumeID:1s! fsType:2s readOnly:3b secretRef:4SecretReference*',
  CephFSPersistentVolumeSource:
    'monitors:1[s! path:2s user:3s secretFile:4s secretRef:5SecretReference* readOnly:6b',
  FCVolumeSource: 'targetWWNs:1[s lun:2i* fsType:3s readOnly:4b wwids:5[s',
  FlockerVolumeSource: 'datasetName:1s datasetUUID:2s',
  FlexPersistentVolumeSource: 'driver:1s! fsType:2s secretRef:3SecretReference* readOnly:4b options:5%s',
  AzureFilePersistentVolumeSource: 'secretName:1s! shareName:2s! readOnly:3b secretNamespace:4s*!',
  VsphereVirtualDiskVolumeSource: 'volumePath:1s! fsType:2s storagePolicyName:3s storagePolicyID:4s',
  QuobyteVolumeSource: 'registry:1s! volume:2s! readOnly:3b user:4s group:5s tenant:6s',
  AzureDiskVolumeSource:
    'diskName:1s! diskURI:2s! cachingMode:3s*=ReadWrite fsType:4s*=ext4 readOnly:5b* kind:6s*=Shared',
  PhotonPersistentDiskVolumeSource: 'pdID:1s! fsType:2s',
  PortworxVolumeSource: 'volumeID:1s! fsType:2s readOnly:3b',
  ScaleIOPersistentVolumeSource:
    'gateway:1s! system:2s! secretRef:3SecretReference*! sslEnabled:4b protectionDomain:5s storagePool:6s storageMode:7s=ThinProvisioned volumeName:8s fsType:9s=xfs readOnly:10b',
  LocalVolumeSource: 'path:1s! fsType:2s*',
  StorageOSPersistentVolumeSource:
    'volumeName:1s volumeNamespace:2s fsType:3s readOnly:4b secretRef:5ObjectReference*',
  CSIPersistentVolumeSource:
    'driver:1s! volumeHandle:2s! readOnly:3b fsType:4s volumeAttributes:5%s controllerPublishSecretRef:6SecretReference* nodeStageSecretRef:7SecretReference* nodePublishSecretRef:8SecretReference* controllerExpandSecretRef:9SecretReference* nodeExpandSecretRef:10SecretReference*',
  VolumeNodeAffinity: 'required:1NodeSelector*',
  NodeSelector: '@nodeSelectorTerms:1[NodeSelectorTerm!',
  NodeSelectorTerm: '@matchExpressions:1[NodeSelectorRequirement matchFields:2[NodeSelectorRequirement',
  NodeSelectorRequirement: 'key:1s! operator:2s! values:3[s',
  PersistentVolumeStatus: 'phase:1s message:2s reason:3s lastPhaseTransitionTime:4t*',
  Pod: 'metadata:1meta.ObjectMeta spec:2PodSpec status:3PodStatus',
  PodSpec:
    'volumes:1{name}Volume~name~retainKeys initContainers:20{name}Container~name containers:2{name}Container!~name ephemeralContainers:34{name}EphemeralContainer~name restartPolicy:3s terminationGracePeriodSeconds:4i* activeDeadlineSeconds:5i* dnsPolicy:6s nodeSelector:7@%s serviceAccountName:8s serviceAccount:9s automountServiceAccountToken:21b* nodeName:10s hostNetwork:11b hostPID:12b hostIPC:13b shareProcessNamespace:27b* securityContext:14PodSecurityContext* imagePullSecrets:15{name}LocalObjectReference~name hostname:16s subdomain:17s affinity:18Affinity* schedulerName:19s tolerations:22[Toleration hostAliases:23{ip}HostAlias~ip priorityClassName:24s priority:25i* dnsConfig:26PodDNSConfig* readinessGates:28[PodReadinessGate runtimeClassName:29s* enableServiceLinks:30b* preemptionPolicy:31s* overhead:32%q topologySpreadConstraints:33{topologyKey,whenUnsatisfiable}TopologySpreadConstraint~topologyKey setHostnameAsFQDN:35b* os:36PodOS* hostUsers:37b* schedulingGates:38{name}PodSchedulingGate~name resourceClaims:39{name}PodResourceClaim~name~retainKeys resources:40ResourceRequirements* hostnameOverride:41s* workloadRef:42WorkloadReference*',
  Volume: 'name:1s! &2VolumeSource',
  VolumeSource:
    'hostPath:1HostPathVolumeSource* emptyDir:2EmptyDirVolumeSource* gcePersistentDisk:3GCEPersistentDiskVolumeSource* awsElasticBlockStore:4AWSElasticBlockStoreVolumeSource* gitRepo:5GitRepoVolumeSource* secret:6SecretVolumeSource* nfs:7NFSVolumeSource* iscsi:8ISCSIVolumeSource* glusterfs:9GlusterfsVolumeSource* persistentVolumeClaim:10PersistentVolumeClaimVolumeSource* rbd:11RBDVolumeSource* flexVolume:12FlexVolumeSource* cinder:13CinderVolumeSource* cephfs:14CephFSVolumeSource* flocker:15FlockerVolumeSource* downwardAPI:16DownwardAPIVolumeSource* fc:17FCVolumeSource* azureFile:18AzureFileVolumeSource* configMap:19ConfigMapVolumeSource* vsphereVolume:20VsphereVirtualDiskVolumeSource* quobyte:21QuobyteVolumeSource* azureDisk:22AzureDiskVolumeSource* photonPersistentDisk:23PhotonPersistentDiskVolumeSource* projected:26ProjectedVolumeSource* portworxVolume:24PortworxVolumeSource* scaleIO:25ScaleIOVolumeSource* storageos:27StorageOSVolumeSource* csi:28CSIVolumeSource* ephemeral:29EphemeralVolumeSource* image:30ImageVolumeSource*',
  EmptyDirVolumeSource: 'medium:1s sizeLimit:2q*',
  GitRepoVolumeSource: 'repository:1s! revision:2s directory:3s',
  SecretVolumeSource: 'secretName:1s items:2[KeyToPath defaultMode:3i* optional:4b*',
  KeyToPath: 'key:1s! path:2s! mode:3i*',
  ISCSIVolumeSource:
    'targetPortal:1s! iqn:2s! lun:3i! iscsiInterface:4s=default fsType:5s readOnly:6b portals:7[s chapAuthDiscovery:8b chapAuthSession:11b secretRef:10LocalObjectReference* initiatorName:12s*',
  LocalObjectReference: '@name:1s',
  GlusterfsVolumeSource: 'endpoints:1s! path:2s! readOnly:3b',
  PersistentVolumeClaimVolumeSource: 'claimName:1s! readOnly:2b',
  RBDVolumeSource:
    'monitors:1[s! image:2s! fsType:3s pool:4s=rbd user:5s=admin keyring:6s=/etc/ceph/keyring secretRef:7LocalObjectReference* readOnly:8b',
  FlexVolumeSource: 'driver:1s! fsType:2s secretRef:3LocalObjectReference* readOnly:4b options:5%s',
  CinderVolumeSource: 'volumeID:1s! fsType:2s readOnly:3b secretRef:4LocalObjectReference*',
  CephFSVolumeSource:
    'monitors:1[s! path:2s user:3s secretFile:4s secretRef:5LocalObjectReference* readOnly:6b',
  DownwardAPIVolumeSource: 'items:1[DownwardAPIVolumeFile defaultMode:2i*',
  DownwardAPIVolumeFile:
    'path:1s! fieldRef:2ObjectFieldSelector* resourceFieldRef:3ResourceFieldSelector* mode:4i*',
  ObjectFieldSelector: '@apiVersion:1s fieldPath:2s!',
  ResourceFieldSelector: '@containerName:1s resource:2s! divisor:3q',
  AzureFileVolumeSource: 'secretName:1s! shareName:2s! readOnly:3b',
  ConfigMapVolumeSource: '&1LocalObjectReference items:2[KeyToPath defaultMode:3i* optional:4b*',
  ProjectedVolumeSource: 'sources:1[VolumeProjection! defaultMode:2i*',
  VolumeProjection:
    'secret:1SecretProjection* downwardAPI:2DownwardAPIProjection* configMap:3ConfigMapProjection* serviceAccountToken:4ServiceAccountTokenProjection* clusterTrustBundle:5ClusterTrustBundleProjection* podCertificate:6PodCertificateProjection*',
  SecretProjection: '&1LocalObjectReference items:2[KeyToPath optional:4b*',
  DownwardAPIProjection: 'items:1[DownwardAPIVolumeFile',
  ConfigMapProjection: '&1LocalObjectReference items:2[KeyToPath optional:4b*',
  ServiceAccountTokenProjection: 'audience:1s expirationSeconds:2i* path:3s!',
  ClusterTrustBundleProjection:
    'name:1s* signerName:2s* labelSelector:3meta.LabelSelector* optional:5b* path:4s!',
  PodCertificateProjection:
    'signerName:1s keyType:2s maxExpirationSeconds:3i* credentialBundlePath:4s keyPath:5s certificateChainPath:6s userAnnotations:7%s',
  ScaleIOVolumeSource:
    'gateway:1s! system:2s! secretRef:3LocalObjectReference*! sslEnabled:4b protectionDomain:5s storagePool:6s storageMode:7s=ThinProvisioned volumeName:8s fsType:9s=xfs readOnly:10b',
  StorageOSVolumeSource:
    'volumeName:1s volumeNamespace:2s fsType:3s readOnly:4b secretRef:5LocalObjectReference*',
  CSIVolumeSource:
    'driver:1s! readOnly:2b* fsType:3s* volumeAttributes:4%s nodePublishSecretRef:5LocalObjectReference*',
  EphemeralVolumeSource: 'volumeClaimTemplate:1PersistentVolumeClaimTemplate*',
  PersistentVolumeClaimTemplate: 'metadata:1meta.ObjectMeta spec:2PersistentVolumeClaimSpec!',
  ImageVolumeSource: 'reference:1s pullPolicy:2s',
  Container:
    'name:1s! image:2s command:3[s args:4[s workingDir:5s ports:6{containerPort,protocol}ContainerPort~containerPort envFrom:19[EnvFromSource env:7{name}EnvVar~name resources:8ResourceRequirements resizePolicy:23[ContainerResizePolicy restartPolicy:24s* restartPolicyRules:25[ContainerRestartRule volumeMounts:9{mountPath}VolumeMount~mountPath volumeDevices:21{devicePath}VolumeDevice~devicePath livenessProbe:10Probe* readinessProbe:11Probe* startupProbe:22Probe* lifecycle:12Lifecycle* terminationMessagePath:13s terminationMessagePolicy:20s imagePullPolicy:14s securityContext:15SecurityContext* stdin:16b stdinOnce:17b tty:18b',
  ContainerPort: 'name:1s hostPort:2i containerPort:3i! protocol:4s=TCP hostIP:5s',
  EnvFromSource: 'prefix:1s configMapRef:2ConfigMapEnvSource* secretRef:3SecretEnvSource*',
  ConfigMapEnvSource: '&1LocalObjectReference optional:2b*',
  SecretEnvSource: '&1LocalObjectReference optional:2b*',
  EnvVar: 'name:1s! value:2s valueFrom:3EnvVarSource*',
  EnvVarSource:
    'fieldRef:1ObjectFieldSelector* resourceFieldRef:2ResourceFieldSelector* configMapKeyRef:3ConfigMapKeySelector* secretKeyRef:4SecretKeySelector* fileKeyRef:5FileKeySelector*',
  ConfigMapKeySelector: '@&1LocalObjectReference key:2s! optional:3b*',
  SecretKeySelector: '@&1LocalObjectReference key:2s! optional:3b*',
  FileKeySelector: '@volumeName:1s! path:2s! key:3s! optional:4b*',
  ResourceRequirements: 'limits:1%q requests:2%q claims:3{name}ResourceClaim',
  ResourceClaim: 'name:1s! request:2s',
  ContainerResizePolicy: 'resourceName:1s! restartPolicy:2s!',
  ContainerRestartRule: 'action:1s exitCodes:2ContainerRestartRuleOnExitCodes*',
  ContainerRestartRuleOnExitCodes: 'operator:1s values:2<i',
  VolumeMount:
    'name:1s! readOnly:2b recursiveReadOnly:7s* mountPath:3s! subPath:4s mountPropagation:5s* subPathExpr:6s',
  VolumeDevice: 'name:1s! devicePath:2s!',
  Probe:
    '&1ProbeHandler initialDelaySeconds:2i timeoutSeconds:3i periodSeconds:4i successThreshold:5i failureThreshold:6i terminationGracePeriodSeconds:7i*',
  ProbeHandler: 'exec:1ExecAction* httpGet:2HTTPGetAction* tcpSocket:3TCPSocketAction* grpc:4GRPCAction*',
  ExecAction: 'command:1[s',
  HTTPGetAction: 'path:1s port:2x! host:3s scheme:4s httpHeaders:5[HTTPHeader',
  HTTPHeader: 'name:1s! value:2s!',
  TCPSocketAction: 'port:1x! host:2s',
  GRPCAction: 'port:1i! service:2s*!',
  Lifecycle: 'postStart:1LifecycleHandler* preStop:2LifecycleHandler* stopSignal:3s*',
  LifecycleHandler:
    'exec:1ExecAction* httpGet:2HTTPGetAction* tcpSocket:3TCPSocketAction* sleep:4SleepAction*',
  SleepAction: 'seconds:1i!',
  SecurityContext:
    'capabilities:1Capabilities* privileged:2b* seLinuxOptions:3SELinuxOptions* windowsOptions:10WindowsSecurityContextOptions* runAsUser:4i* runAsGroup:8i* runAsNonRoot:5b* readOnlyRootFilesystem:6b* allowPrivilegeEscalation:7b* procMount:9s* seccompProfile:11SeccompProfile* appArmorProfile:12AppArmorProfile*',
  Capabilities: 'add:1[s drop:2[s',
  SELinuxOptions: 'user:1s role:2s type:3s level:4s',
  WindowsSecurityContextOptions:
    'gmsaCredentialSpecName:1s* gmsaCredentialSpec:2s* runAsUserName:3s* hostProcess:4b*',
  SeccompProfile: 'type:1s! localhostProfile:2s*',
  AppArmorProfile: 'type:1s! localhostProfile:2s*',
  EphemeralContainer: '&1EphemeralContainerCommon targetContainerName:2s',
  EphemeralContainerCommon:
    'name:1s! image:2s command:3[s args:4[s workingDir:5s ports:6[ContainerPort~containerPort envFrom:19[EnvFromSource env:7[EnvVar~name resources:8ResourceRequirements resizePolicy:23[ContainerResizePolicy restartPolicy:24s* restartPolicyRules:25[ContainerRestartRule volumeMounts:9[VolumeMount~mountPath volumeDevices:21[VolumeDevice~devicePath livenessProbe:10Probe* readinessProbe:11Probe* startupProbe:22Probe* lifecycle:12Lifecycle* terminationMessagePath:13s terminationMessagePolicy:20s imagePullPolicy:14s securityContext:15SecurityContext* stdin:16b stdinOnce:17b tty:18b',
  PodSecurityContext:
    'seLinuxOptions:1SELinuxOptions* windowsOptions:8WindowsSecurityContextOptions* runAsUser:2i* runAsGroup:6i* runAsNonRoot:3b* supplementalGroups:4[i supplementalGroupsPolicy:12s* fsGroup:5i* sysctls:7[Sysctl fsGroupChangePolicy:9s* seccompProfile:10SeccompProfile* appArmorProfile:11AppArmorProfile* seLinuxChangePolicy:13s*',
  Sysctl: 'name:1s! value:2s!',
  Affinity: 'nodeAffinity:1NodeAffinity* podAffinity:2PodAffinity* podAntiAffinity:3PodAntiAffinity*',
  NodeAffinity:
    'requiredDuringSchedulingIgnoredDuringExecution:1NodeSelector* preferredDuringSchedulingIgnoredDuringExecution:2[PreferredSchedulingTerm',
  PreferredSchedulingTerm: 'weight:1i! preference:2NodeSelectorTerm!',
  PodAffinity:
    'requiredDuringSchedulingIgnoredDuringExecution:1[PodAffinityTerm preferredDuringSchedulingIgnoredDuringExecution:2[WeightedPodAffinityTerm',
  PodAffinityTerm:
    'labelSelector:1meta.LabelSelector* namespaces:2[s topologyKey:3s! namespaceSelector:4meta.LabelSelector* matchLabelKeys:5[s mismatchLabelKeys:6[s',
  WeightedPodAffinityTerm: 'weight:1i! podAffinityTerm:2PodAffinityTerm!',
  PodAntiAffinity:
    'requiredDuringSchedulingIgnoredDuringExecution:1[PodAffinityTerm preferredDuringSchedulingIgnoredDuringExecution:2[WeightedPodAffinityTerm',
  Toleration: 'key:1s operator:2s value:3s effect:4s tolerationSeconds:5i*',
  HostAlias: 'ip:1s! hostnames:2[s',
  PodDNSConfig: 'nameservers:1[s searches:2[s options:3[PodDNSConfigOption',
  PodDNSConfigOption: 'name:1s value:2s*',
  PodReadinessGate: 'conditionType:1s!',
  TopologySpreadConstraint:
    'maxSkew:1i! topologyKey:2s! whenUnsatisfiable:3s! labelSelector:4meta.LabelSelector* minDomains:5i* nodeAffinityPolicy:6s* nodeTaintsPolicy:7s* matchLabelKeys:8[s',
  PodOS: 'name:1s!',
  PodSchedulingGate: 'name:1s!',
  PodResourceClaim: 'name:1s! resourceClaimName:3s* resourceClaimTemplateName:4s*',
  WorkloadReference: 'name:1s! podGroup:2s! podGroupReplicaKey:3s',
  PodStatus:
    'observedGeneration:17i phase:1s conditions:2{type}PodCondition~type message:3s reason:4s nominatedNodeName:11s hostIP:5s hostIPs:16[HostIP~ip podIP:6s podIPs:12{ip}PodIP~ip startTime:7t* initContainerStatuses:10[ContainerStatus containerStatuses:8[ContainerStatus qosClass:9s ephemeralContainerStatuses:13[ContainerStatus resize:14s resourceClaimStatuses:15{name}PodResourceClaimStatus~name~retainKeys extendedResourceClaimStatus:18PodExtendedResourceClaimStatus* allocatedResources:19%q resources:20ResourceRequirements*',
  PodCondition:
    'type:1s! observedGeneration:7i status:2s! lastProbeTime:3t lastTransitionTime:4t reason:5s message:6s',
  HostIP: 'ip:1s!',
  PodIP: 'ip:1s!',
  ContainerStatus:
    'name:1s! state:2ContainerState lastState:3ContainerState ready:4b! restartCount:5i! image:6s! imageID:7s! containerID:8s started:9b* allocatedResources:10%q resources:11ResourceRequirements* volumeMounts:12{mountPath}VolumeMountStatus~mountPath user:13ContainerUser* allocatedResourcesStatus:14{name}ResourceStatus~name stopSignal:15s*',
  ContainerState:
    'waiting:1ContainerStateWaiting* running:2ContainerStateRunning* terminated:3ContainerStateTerminated*',
  ContainerStateWaiting: 'reason:1s message:2s',
  ContainerStateRunning: 'startedAt:1t',
  ContainerStateTerminated:
    'exitCode:1i! signal:2i reason:3s message:4s startedAt:5t finishedAt:6t containerID:7s',
  VolumeMountStatus: 'name:1s! mountPath:2s! readOnly:3b recursiveReadOnly:4s*',
  ContainerUser: 'linux:1LinuxContainerUser*',
  LinuxContainerUser: 'uid:1i! gid:2i! supplementalGroups:3[i',
  ResourceStatus: 'name:1s! resources:2{resourceID}ResourceHealth',
  ResourceHealth: 'resourceID:1s! health:2s',
  PodResourceClaimStatus: 'name:1s! resourceClaimName:2s*',
  PodExtendedResourceClaimStatus: 'requestMappings:1[ContainerExtendedResourceRequest! resourceClaimName:2s!',
  ContainerExtendedResourceRequest: 'containerName:1s! resourceName:2s! requestName:3s!',
  PodTemplate: 'metadata:1meta.ObjectMeta template:2PodTemplateSpec',
  PodTemplateSpec: 'metadata:1meta.ObjectMeta spec:2PodSpec',
  ReplicationController:
    'metadata:1meta.ObjectMeta spec:2ReplicationControllerSpec status:3ReplicationControllerStatus',
  ReplicationControllerSpec: 'replicas:1i* minReadySeconds:4i selector:2@%s template:3PodTemplateSpec*',
  ReplicationControllerStatus:
    'replicas:1i! fullyLabeledReplicas:2i readyReplicas:4i availableReplicas:5i observedGeneration:3i conditions:6{type}ReplicationControllerCondition~type',
  ReplicationControllerCondition: 'type:1s! status:2s! lastTransitionTime:3t reason:4s message:5s',
  ResourceQuota: 'metadata:1meta.ObjectMeta spec:2ResourceQuotaSpec status:3ResourceQuotaStatus',
  ResourceQuotaSpec: 'hard:1%q scopes:2[s scopeSelector:3ScopeSelector*',
  ScopeSelector: '@matchExpressions:1[ScopedResourceSelectorRequirement',
  ScopedResourceSelectorRequirement: 'scopeName:1s! operator:2s! values:3[s',
  ResourceQuotaStatus: 'hard:1%q used:2%q',
  Secret: 'metadata:1meta.ObjectMeta immutable:5b* data:2%y stringData:4%s type:3s',
  ServiceAccount:
    'metadata:1meta.ObjectMeta secrets:2{name}ObjectReference~name imagePullSecrets:3[LocalObjectReference automountServiceAccountToken:4b*',
  Service: 'metadata:1meta.ObjectMeta spec:2ServiceSpec status:3ServiceStatus',
  ServiceSpec:
    'ports:1{port,protocol}ServicePort~port selector:2@%s clusterIP:3s clusterIPs:18[s type:4s externalIPs:5[s sessionAffinity:7s loadBalancerIP:8s loadBalancerSourceRanges:9[s externalName:10s externalTrafficPolicy:11s healthCheckNodePort:12i publishNotReadyAddresses:13b sessionAffinityConfig:14SessionAffinityConfig* ipFamilies:19[s ipFamilyPolicy:17s* allocateLoadBalancerNodePorts:20b* loadBalancerClass:21s* internalTrafficPolicy:22s* trafficDistribution:23s*',
  ServicePort: 'name:1s protocol:2s=TCP appProtocol:6s* port:3i! targetPort:4x nodePort:5i',
  SessionAffinityConfig: 'clientIP:1ClientIPConfig*',
  ClientIPConfig: 'timeoutSeconds:1i*',
  ServiceStatus: 'loadBalancer:1LoadBalancerStatus conditions:2{type}meta.Condition~type',
  LoadBalancerStatus: 'ingress:1[LoadBalancerIngress',
  LoadBalancerIngress: 'ip:1s hostname:2s ipMode:3s* ports:4[PortStatus',
  PortStatus: 'port:1i! protocol:2s! error:3s*',
  Binding: 'metadata:1meta.ObjectMeta target:2ObjectReference!',
  TopologySelectorTerm: '@matchLabelExpressions:1[TopologySelectorLabelRequirement',
  TopologySelectorLabelRequirement: 'key:1s! values:2[s!',
};
