{{/* What turns accounts and boards on. */}}
{{- define "lapwing.gatewayEnv" -}}
{{- $internal := .Values.internalKey -}}
- { name: ACCOUNT_URL, value: {{ include "lapwing.url" (dict "root" . "component" "account") | quote }} }
- { name: IDENTITY_URL, value: {{ include "lapwing.url" (dict "root" . "component" "identity") | quote }} }
{{ include "lapwing.projectEnv" . }}
{{ include "lapwing.fromSecret" (dict "name" "INTERNAL_KEY" "secret" $internal.existingSecret "key" $internal.key) }}
{{ include "lapwing.redisEnv" (dict "root" . "for" "cache") }}
{{- if .Values.boards.enabled }}
- { name: UPLOAD_URL, value: {{ include "lapwing.url" (dict "root" . "component" "upload") | quote }} }
- { name: INGEST_URL, value: {{ include "lapwing.url" (dict "root" . "component" "ingest") | quote }} }
- { name: LEADERBOARD_URL, value: {{ include "lapwing.url" (dict "root" . "component" "leaderboard") | quote }} }
- { name: S3_PUBLIC_ENDPOINT, value: {{ include "lapwing.publicStore" . | quote }} }
{{- end }}
{{- end -}}
