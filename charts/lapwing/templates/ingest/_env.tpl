{{- define "lapwing.ingestEnv" -}}
{{- include "lapwing.serviceEnv" (dict "root" . "values" .Values.ingest) }}
{{ include "lapwing.queueEnv" . }}
- { name: UPLOAD_URL, value: {{ include "lapwing.url" (dict "root" . "component" "upload") | quote }} }
{{- end -}}

{{/* Variables of both processes of ingest. */}}
{{- define "lapwing.queueEnv" -}}
{{- include "lapwing.redisEnv" (dict "root" . "for" "queue") }}
{{ include "lapwing.objectStoreEnv" . }}
- { name: LEADERBOARD_URL, value: {{ include "lapwing.url" (dict "root" . "component" "leaderboard") | quote }} }
{{- end -}}
