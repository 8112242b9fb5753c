{{- define "lapwing.uploadEnv" -}}
{{- include "lapwing.serviceEnv" (dict "root" . "values" .Values.upload) }}
{{ include "lapwing.objectStoreEnv" . }}
- { name: INGEST_URL, value: {{ include "lapwing.url" (dict "root" . "component" "ingest") | quote }} }
{{- end -}}
