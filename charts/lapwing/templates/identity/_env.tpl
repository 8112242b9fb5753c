{{- define "lapwing.identityEnv" -}}
{{- $values := .Values.identity }}
{{- include "lapwing.serviceEnv" (dict "root" . "values" $values) }}
{{ include "lapwing.redisEnv" (dict "root" . "for" "cache") }}
{{ include "lapwing.fromSecret" (dict "name" "SMTP_URL" "secret" $values.mail.existingSecret "key" $values.mail.key) }}
- { name: MAIL_FROM, value: {{ $values.mail.from | quote }} }
{{- with $values.keyEncryptionKey }}
{{ include "lapwing.fromSecret" (dict "name" "KEY_ENCRYPTION_KEY" "secret" .existingSecret "key" .key) }}
{{- end }}
- { name: PUBLIC_ORIGIN, value: {{ .Values.gateway.publicOrigin | quote }} }
- { name: TRUSTED_PROXIES, value: {{ join "," $values.trustedProxies | quote }} }
- { name: HASH_CONCURRENCY, value: {{ $values.hashConcurrency | int | quote }} }
{{- with $values.texts }}
{{- if .url }}
- { name: TEXT_API_URL, value: {{ .url | quote }} }
{{ include "lapwing.fromSecret" (dict "name" "TEXT_API_CREDENTIALS" "secret" .existingSecret "key" .key) }}
- { name: SMS_SENDER, value: {{ .smsSender | quote }} }
- { name: WHATSAPP_SENDER, value: {{ .whatsappSender | quote }} }
- { name: WHATSAPP_TEMPLATE, value: {{ .whatsappTemplate | quote }} }
- { name: TEXT_COUNTRIES, value: {{ join "," .countries | quote }} }
{{- end }}
{{- end }}
{{ include "lapwing.projectEnv" . }}
{{- end -}}

{{/* Name of the project; gateway and identity must have the same. */}}
{{- define "lapwing.projectEnv" -}}
- { name: PUBLIC_TOKEN, value: {{ .Values.accounts.publicToken | quote }} }
- { name: PROJECT_ID, value: {{ .Values.accounts.projectId | quote }} }
{{- with .Values.accounts.issuer }}
- { name: JWT_ISSUER, value: {{ . | quote }} }
{{- end }}
{{- end -}}
