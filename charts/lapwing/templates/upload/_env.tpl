{{- define "lapwing.uploadEnv" -}}
{{- include "lapwing.serviceEnv" (dict "root" . "values" .Values.upload) }}
{{ include "lapwing.objectStoreEnv" . }}
{{- end -}}
