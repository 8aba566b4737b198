/**
 * Fields of API types, from the Kubernetes API reference and the .proto files of k8s.io/api (v1.35). type-row.ts
 * explains the format of a row.
 */
export const META: Readonly<Record<string, string>> = {
  ListMeta: 'selfLink:1s resourceVersion:2s continue:3s remainingItemCount:4i*',
  Status: 'metadata:1ListMeta status:2s message:3s reason:4s details:5StatusDetails* code:6i',
  StatusDetails: 'name:1s group:2s kind:3s causes:4[StatusCause retryAfterSeconds:5i uid:6s',
  StatusCause: 'reason:1s message:2s field:3s',
  ObjectMeta:
    'name:1s generateName:2s namespace:3s selfLink:4s uid:5s resourceVersion:6s generation:7i creationTimestamp:8t deletionTimestamp:9t* deletionGracePeriodSeconds:10i* labels:11%s annotations:12%s ownerReferences:13{uid}OwnerReference~uid finalizers:14<s~ managedFields:17[ManagedFieldsEntry',
  OwnerReference: '@apiVersion:5s! kind:1s! name:3s! uid:4s! controller:6b* blockOwnerDeletion:7b*',
  ManagedFieldsEntry:
    'manager:1s operation:2s apiVersion:3s time:4t* fieldsType:6s fieldsV1:7j* subresource:8s',
  LabelSelector: '@matchLabels:1%s matchExpressions:2[LabelSelectorRequirement',
  LabelSelectorRequirement: 'key:1s! operator:2s! values:3[s',
  Condition: 'type:1s! status:2s! observedGeneration:3i lastTransitionTime:4t! reason:5s! message:6s!',
  FieldSelectorRequirement: 'key:1s! operator:2s! values:3[s',
  DeleteOptions:
    'gracePeriodSeconds:1i* preconditions:2Preconditions* orphanDependents:3b* propagationPolicy:4s* dryRun:5[s ignoreStoreReadErrorWithClusterBreakingPotential:6b*',
  Preconditions: 'uid:1s* resourceVersion:2s*',
};

export const NETWORKING: Readonly<Record<string, string>> = {
  IngressClass: 'metadata:1meta.ObjectMeta spec:2IngressClassSpec',
  IngressClassSpec: 'controller:1s parameters:2IngressClassParametersReference*',
  IngressClassParametersReference: 'apiGroup:1s* kind:2s! name:3s! scope:4s*! namespace:5s*',
  Ingress: 'metadata:1meta.ObjectMeta spec:2IngressSpec status:3IngressStatus',
  IngressSpec: 'ingressClassName:4s* defaultBackend:1IngressBackend* tls:2[IngressTLS rules:3[IngressRule',
  IngressBackend: 'service:4IngressServiceBackend* resource:3core.TypedLocalObjectReference*',
  IngressServiceBackend: 'name:1s! port:2ServiceBackendPort',
  ServiceBackendPort: '@name:1s number:2i',
  IngressTLS: 'hosts:1[s secretName:2s',
  IngressRule: 'host:1s &2IngressRuleValue',
  IngressRuleValue: 'http:1HTTPIngressRuleValue*',
  HTTPIngressRuleValue: 'paths:1[HTTPIngressPath!',
  HTTPIngressPath: 'path:1s pathType:3s*! backend:2IngressBackend!',
  IngressStatus: 'loadBalancer:1IngressLoadBalancerStatus',
  IngressLoadBalancerStatus: 'ingress:1[IngressLoadBalancerIngress',
  IngressLoadBalancerIngress: 'ip:1s hostname:2s ports:4[IngressPortStatus',
  IngressPortStatus: 'port:1i! protocol:2s! error:3s*',
  IPAddress: 'metadata:1meta.ObjectMeta spec:2IPAddressSpec',
  IPAddressSpec: 'parentRef:1ParentReference*',
  ParentReference: 'group:1s resource:2s namespace:3s name:4s',
  NetworkPolicy: 'metadata:1meta.ObjectMeta spec:2NetworkPolicySpec',
  NetworkPolicySpec:
    'podSelector:1meta.LabelSelector! ingress:2[NetworkPolicyIngressRule egress:3[NetworkPolicyEgressRule policyTypes:4[s',
  NetworkPolicyIngressRule: 'ports:1[NetworkPolicyPort from:2[NetworkPolicyPeer',
  NetworkPolicyPort: 'protocol:1s* port:2x* endPort:3i*',
  NetworkPolicyPeer:
    'podSelector:1meta.LabelSelector* namespaceSelector:2meta.LabelSelector* ipBlock:3IPBlock*',
  IPBlock: 'cidr:1s! except:2[s',
  NetworkPolicyEgressRule: 'ports:1[NetworkPolicyPort to:2[NetworkPolicyPeer',
  ServiceCIDR: 'metadata:1meta.ObjectMeta spec:2ServiceCIDRSpec status:3ServiceCIDRStatus',
  ServiceCIDRSpec: 'cidrs:1[s',
  ServiceCIDRStatus: 'conditions:1{type}meta.Condition~type',
};

export const RBAC: Readonly<Record<string, string>> = {
  ClusterRoleBinding: 'metadata:1meta.ObjectMeta subjects:2[Subject roleRef:3RoleRef!',
  Subject: '@kind:1s! apiGroup:2s name:3s! namespace:4s',
  RoleRef: '@apiGroup:1s! kind:2s! name:3s!',
  ClusterRole: 'metadata:1meta.ObjectMeta rules:2[PolicyRule! aggregationRule:3AggregationRule*',
  PolicyRule: 'verbs:1[s! apiGroups:2[s resources:3[s resourceNames:4[s nonResourceURLs:5[s',
  AggregationRule: 'clusterRoleSelectors:1[meta.LabelSelector',
  RoleBinding: 'metadata:1meta.ObjectMeta subjects:2[Subject roleRef:3RoleRef!',
  Role: 'metadata:1meta.ObjectMeta rules:2[PolicyRule!',
};

export const STORAGE: Readonly<Record<string, string>> = {
  CSIDriver: 'metadata:1meta.ObjectMeta spec:2CSIDriverSpec!',
  CSIDriverSpec:
    'attachRequired:1b* podInfoOnMount:2b* volumeLifecycleModes:3<s storageCapacity:4b* fsGroupPolicy:5s* tokenRequests:6[TokenRequest requiresRepublish:7b* seLinuxMount:8b* nodeAllocatableUpdatePeriodSeconds:9i* serviceAccountTokenInSecrets:10b*',
  TokenRequest: 'audience:1s! expirationSeconds:2i*',
  CSINode: 'metadata:1meta.ObjectMeta spec:2CSINodeSpec!',
  CSINodeSpec: 'drivers:1{name}CSINodeDriver!~name',
  CSINodeDriver: 'name:1s! nodeID:2s! topologyKeys:3[s! allocatable:4VolumeNodeResources*',
  VolumeNodeResources: 'count:1i*',
  CSIStorageCapacity:
    'metadata:1meta.ObjectMeta nodeTopology:2meta.LabelSelector* storageClassName:3s! capacity:4q* maximumVolumeSize:5q*',
  StorageClass:
    'metadata:1meta.ObjectMeta provisioner:2s! parameters:3%s reclaimPolicy:4s* mountOptions:5[s allowVolumeExpansion:6b* volumeBindingMode:7s* allowedTopologies:8[core.TopologySelectorTerm',
  VolumeAttachment: 'metadata:1meta.ObjectMeta spec:2VolumeAttachmentSpec! status:3VolumeAttachmentStatus',
  VolumeAttachmentSpec: 'attacher:1s! source:2VolumeAttachmentSource! nodeName:3s!',
  VolumeAttachmentSource: 'persistentVolumeName:1s* inlineVolumeSpec:2core.PersistentVolumeSpec*',
  VolumeAttachmentStatus:
    'attached:1b! attachmentMetadata:2%s attachError:3VolumeError* detachError:4VolumeError*',
  VolumeError: 'time:1t message:2s errorCode:3i*',
  VolumeAttributesClass: 'metadata:1meta.ObjectMeta driverName:2s! parameters:3%s',
};

export const COORDINATION: Readonly<Record<string, string>> = {
  Lease: 'metadata:1meta.ObjectMeta spec:2LeaseSpec',
  LeaseSpec:
    'holderIdentity:1s* leaseDurationSeconds:2i* acquireTime:3u* renewTime:4u* leaseTransitions:5i* strategy:6s* preferredHolder:7s*',
};

export const DISCOVERY: Readonly<Record<string, string>> = {
  EndpointSlice: 'metadata:1meta.ObjectMeta addressType:4s! endpoints:2[Endpoint! ports:3[EndpointPort!',
  Endpoint:
    'addresses:1<s! conditions:2EndpointConditions hostname:3s* targetRef:4core.ObjectReference* deprecatedTopology:5%s nodeName:6s* zone:7s* hints:8EndpointHints*',
  EndpointConditions: 'ready:1b* serving:2b* terminating:3b*',
  EndpointHints: 'forZones:1[ForZone forNodes:2[ForNode',
  ForZone: 'name:1s!',
  ForNode: 'name:1s!',
  EndpointPort: '@name:1s* protocol:2s* port:3i* appProtocol:4s*',
};

export const EVENTS: Readonly<Record<string, string>> = {
  Event:
    'metadata:1meta.ObjectMeta! eventTime:2u! series:3EventSeries* reportingController:4s reportingInstance:5s action:6s reason:7s regarding:8core.ObjectReference related:9core.ObjectReference* note:10s type:11s deprecatedSource:12core.EventSource deprecatedFirstTimestamp:13t deprecatedLastTimestamp:14t deprecatedCount:15i',
  EventSeries: 'count:1i! lastObservedTime:2u!',
};

export const SCHEDULING: Readonly<Record<string, string>> = {
  PriorityClass: 'metadata:1meta.ObjectMeta value:2i! globalDefault:3b description:4s preemptionPolicy:5s*',
};

export const AUTHENTICATION: Readonly<Record<string, string>> = {
  SelfSubjectReview: 'metadata:1meta.ObjectMeta status:2SelfSubjectReviewStatus',
  SelfSubjectReviewStatus: 'userInfo:1UserInfo',
  UserInfo: 'username:1s uid:2s groups:3[s extra:4%[s',
  TokenReview: 'metadata:1meta.ObjectMeta spec:2TokenReviewSpec! status:3TokenReviewStatus',
  TokenReviewSpec: 'token:1s audiences:2[s',
  TokenReviewStatus: 'authenticated:1b user:2UserInfo audiences:4[s error:3s',
  TokenRequest: 'metadata:1meta.ObjectMeta spec:2TokenRequestSpec! status:3TokenRequestStatus',
  TokenRequestSpec: 'audiences:1[s! expirationSeconds:4i*! boundObjectRef:3BoundObjectReference*!',
  BoundObjectReference: 'kind:1s apiVersion:2s name:3s uid:4s',
  TokenRequestStatus: 'token:1s! expirationTimestamp:2t!',
};

export const AUTHORIZATION: Readonly<Record<string, string>> = {
  SelfSubjectAccessReview:
    'metadata:1meta.ObjectMeta spec:2SelfSubjectAccessReviewSpec! status:3SubjectAccessReviewStatus',
  SelfSubjectAccessReviewSpec:
    'resourceAttributes:1ResourceAttributes* nonResourceAttributes:2NonResourceAttributes*',
  ResourceAttributes:
    'namespace:1s verb:2s group:3s version:4s resource:5s subresource:6s name:7s fieldSelector:8FieldSelectorAttributes* labelSelector:9LabelSelectorAttributes*',
  FieldSelectorAttributes: 'rawSelector:1s requirements:2[meta.FieldSelectorRequirement',
  LabelSelectorAttributes: 'rawSelector:1s requirements:2[meta.LabelSelectorRequirement',
  NonResourceAttributes: 'path:1s verb:2s',
  SubjectAccessReviewStatus: 'allowed:1b! denied:4b reason:2s evaluationError:3s',
  SelfSubjectRulesReview:
    'metadata:1meta.ObjectMeta spec:2SelfSubjectRulesReviewSpec! status:3SubjectRulesReviewStatus',
  SelfSubjectRulesReviewSpec: 'namespace:1s',
  SubjectRulesReviewStatus:
    'resourceRules:1[ResourceRule! nonResourceRules:2[NonResourceRule! incomplete:3b! evaluationError:4s',
  ResourceRule: 'verbs:1[s! apiGroups:2[s resources:3[s resourceNames:4[s',
  NonResourceRule: 'verbs:1[s! nonResourceURLs:2[s',
  SubjectAccessReview:
    'metadata:1meta.ObjectMeta spec:2SubjectAccessReviewSpec! status:3SubjectAccessReviewStatus',
  SubjectAccessReviewSpec:
    'resourceAttributes:1ResourceAttributes* nonResourceAttributes:2NonResourceAttributes* user:3s groups:4[s extra:5%[s uid:6s',
  LocalSubjectAccessReview:
    'metadata:1meta.ObjectMeta spec:2SubjectAccessReviewSpec! status:3SubjectAccessReviewStatus',
};

export const ADMISSIONREGISTRATION: Readonly<Record<string, string>> = {
  MutatingWebhookConfiguration: 'metadata:1meta.ObjectMeta webhooks:2{name}MutatingWebhook~name',
  MutatingWebhook:
    'name:1s! clientConfig:2WebhookClientConfig! rules:3[RuleWithOperations failurePolicy:4s* matchPolicy:9s* namespaceSelector:5meta.LabelSelector* objectSelector:11meta.LabelSelector* sideEffects:6s*! timeoutSeconds:7i* admissionReviewVersions:8[s! reinvocationPolicy:10s* matchConditions:12{name}MatchCondition~name',
  WebhookClientConfig: 'url:3s* service:1ServiceReference* caBundle:2y',
  ServiceReference: 'namespace:1s! name:2s! path:3s* port:4i*',
  RuleWithOperations: 'operations:1[s &2Rule',
  Rule: 'apiGroups:1[s apiVersions:2[s resources:3[s scope:4s*',
  MatchCondition: 'name:1s! expression:2s!',
  ValidatingWebhookConfiguration: 'metadata:1meta.ObjectMeta webhooks:2{name}ValidatingWebhook~name',
  ValidatingWebhook:
    'name:1s! clientConfig:2WebhookClientConfig! rules:3[RuleWithOperations failurePolicy:4s* matchPolicy:9s* namespaceSelector:5meta.LabelSelector* objectSelector:10meta.LabelSelector* sideEffects:6s*! timeoutSeconds:7i* admissionReviewVersions:8[s! matchConditions:11{name}MatchCondition~name',
  ValidatingAdmissionPolicy:
    'metadata:1meta.ObjectMeta spec:2ValidatingAdmissionPolicySpec status:3ValidatingAdmissionPolicyStatus',
  ValidatingAdmissionPolicySpec:
    'paramKind:1ParamKind* matchConstraints:2MatchResources* validations:3[Validation failurePolicy:4s* auditAnnotations:5[AuditAnnotation matchConditions:6{name}MatchCondition~name variables:7{name}Variable~name',
  ParamKind: '@apiVersion:1s kind:2s',
  MatchResources:
    '@namespaceSelector:1meta.LabelSelector* objectSelector:2meta.LabelSelector* resourceRules:3[NamedRuleWithOperations excludeResourceRules:4[NamedRuleWithOperations matchPolicy:7s*',
  NamedRuleWithOperations: '@resourceNames:1[s &2RuleWithOperations',
  Validation: 'expression:1s! message:2s reason:3s* messageExpression:4s',
  AuditAnnotation: 'key:1s! valueExpression:2s!',
  Variable: '@name:1s! expression:2s!',
  ValidatingAdmissionPolicyStatus:
    'observedGeneration:1i typeChecking:2TypeChecking* conditions:3{type}meta.Condition',
  TypeChecking: 'expressionWarnings:1[ExpressionWarning',
  ExpressionWarning: 'fieldRef:2s! warning:3s!',
  ValidatingAdmissionPolicyBinding: 'metadata:1meta.ObjectMeta spec:2ValidatingAdmissionPolicyBindingSpec',
  ValidatingAdmissionPolicyBindingSpec:
    'policyName:1s paramRef:2ParamRef* matchResources:3MatchResources* validationActions:4<s',
  ParamRef: '@name:1s namespace:2s selector:3meta.LabelSelector* parameterNotFoundAction:4s*',
};

export const APIEXTENSIONS: Readonly<Record<string, string>> = {
  CustomResourceDefinition:
    'metadata:1meta.ObjectMeta spec:2CustomResourceDefinitionSpec! status:3CustomResourceDefinitionStatus',
  CustomResourceDefinitionSpec:
    'group:1s! names:3CustomResourceDefinitionNames! scope:4s! versions:7[CustomResourceDefinitionVersion! conversion:9CustomResourceConversion* preserveUnknownFields:10b',
  CustomResourceDefinitionNames: 'plural:1s! singular:2s shortNames:3[s kind:4s! listKind:5s categories:6[s',
  CustomResourceDefinitionVersion:
    'name:1s! served:2b! storage:3b! deprecated:7b deprecationWarning:8s* schema:4CustomResourceValidation* subresources:5CustomResourceSubresources* additionalPrinterColumns:6[CustomResourceColumnDefinition selectableFields:9[SelectableField',
  CustomResourceValidation: 'openAPIV3Schema:1JSONSchemaProps*',
  JSONSchemaProps:
    'id:1s $schema:2s $ref:3s* description:4s type:5s format:6s title:7s default:8j* maximum:9f* exclusiveMaximum:10b minimum:11f* exclusiveMinimum:12b maxLength:13i* minLength:14i* pattern:15s maxItems:16i* minItems:17i* uniqueItems:18b multipleOf:19f* enum:20[j maxProperties:21i* minProperties:22i* required:23[s items:24j* allOf:25[JSONSchemaProps oneOf:26[JSONSchemaProps anyOf:27[JSONSchemaProps not:28JSONSchemaProps* properties:29%JSONSchemaProps additionalProperties:30j* patternProperties:31%JSONSchemaProps dependencies:32%j additionalItems:33j* definitions:34%JSONSchemaProps externalDocs:35ExternalDocumentation* example:36j* nullable:37b x-kubernetes-preserve-unknown-fields:38b* x-kubernetes-embedded-resource:39b x-kubernetes-int-or-string:40b x-kubernetes-list-map-keys:41[s x-kubernetes-list-type:42s* x-kubernetes-map-type:43s* x-kubernetes-validations:44{rule}ValidationRule~rule',
  ExternalDocumentation: 'description:1s url:2s',
  ValidationRule: 'rule:1s! message:2s messageExpression:3s reason:4s* fieldPath:5s optionalOldSelf:6b*',
  CustomResourceSubresources:
    'status:1CustomResourceSubresourceStatus* scale:2CustomResourceSubresourceScale*',
  CustomResourceSubresourceScale: 'specReplicasPath:1s! statusReplicasPath:2s! labelSelectorPath:3s*',
  CustomResourceColumnDefinition: 'name:1s! type:2s! format:3s description:4s priority:5i jsonPath:6s!',
  SelectableField: 'jsonPath:1s!',
  CustomResourceConversion: 'strategy:1s! webhook:2WebhookConversion*',
  WebhookConversion: 'clientConfig:2WebhookClientConfig* conversionReviewVersions:3[s!',
  WebhookClientConfig: 'url:3s* service:1ServiceReference* caBundle:2y',
  ServiceReference: 'namespace:1s! name:2s! path:3s* port:4i*',
  CustomResourceDefinitionStatus:
    'conditions:1{type}CustomResourceDefinitionCondition! acceptedNames:2CustomResourceDefinitionNames! storedVersions:3[s! observedGeneration:4i',
  CustomResourceDefinitionCondition:
    'type:1s! status:2s! lastTransitionTime:3t reason:4s message:5s observedGeneration:6i',
  CustomResourceSubresourceStatus: '',
};

export const APIREGISTRATION: Readonly<Record<string, string>> = {
  APIService: 'metadata:1meta.ObjectMeta spec:2APIServiceSpec status:3APIServiceStatus',
  APIServiceSpec:
    'service:1ServiceReference* group:2s version:3s insecureSkipTLSVerify:4b caBundle:5y groupPriorityMinimum:7i! versionPriority:8i!',
  ServiceReference: 'namespace:1s name:2s port:3i*',
  APIServiceStatus: 'conditions:1{type}APIServiceCondition~type',
  APIServiceCondition: 'type:1s! status:2s! lastTransitionTime:3t reason:4s message:5s',
};

export const NODE: Readonly<Record<string, string>> = {
  RuntimeClass: 'metadata:1meta.ObjectMeta handler:2s! overhead:3Overhead* scheduling:4Scheduling*',
  Overhead: 'podFixed:1%q',
  Scheduling: 'nodeSelector:1@%s tolerations:2[core.Toleration',
};
