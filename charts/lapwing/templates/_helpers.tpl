{{/* Name of a component's objects: <release>-<component>. */}}
{{- define "lapwing.name" -}}
{{- printf "%s-%s" (.root.Release.Name | trunc 50 | trimSuffix "-") .component -}}
{{- end -}}

{{/* What a component's pods are found by. The chart's version must not be here: selectors cannot change. */}}
{{- define "lapwing.selector" -}}
app.kubernetes.io/name: {{ .component }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- end -}}

{{- define "lapwing.labels" -}}
{{ include "lapwing.selector" . }}
app.kubernetes.io/part-of: lapwing
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "lapwing.image" -}}
{{- printf "%s:%s" .image.repository (.image.tag | default .root.Chart.AppVersion) -}}
{{- end -}}

{{/* Pod level of the restricted Pod Security Standard. */}}
{{- define "lapwing.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{/* Container level of the restricted Pod Security Standard, and a file system nobody writes to. */}}
{{- define "lapwing.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* Ready when its dependencies are, alive as long as it answers at all. */}}
{{- define "lapwing.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 1
  failureThreshold: 60
readinessProbe:
  httpGet: { path: /readyz, port: http }
  periodSeconds: 5
  timeoutSeconds: 3
livenessProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 10
  timeoutSeconds: 5
{{- end -}}
