{{- define "lapwing.accountEnv" -}}
{{- include "lapwing.serviceEnv" (dict "root" . "values" .Values.account) }}
- { name: PUBLIC_ORIGIN, value: {{ .Values.gateway.publicOrigin | quote }} }
- { name: IDENTITY_URL, value: {{ include "lapwing.url" (dict "root" . "component" "identity") | quote }} }
{{- if .Values.boards.enabled }}
- { name: UPLOAD_URL, value: {{ include "lapwing.url" (dict "root" . "component" "upload") | quote }} }
- { name: INGEST_URL, value: {{ include "lapwing.url" (dict "root" . "component" "ingest") | quote }} }
{{- end }}
{{- with include "lapwing.leaderboardUrlEnv" . }}
{{ . }}
{{- end }}
{{- with .Values.account.billing }}
{{- if .existingSecret }}
{{ include "lapwing.fromSecret" (dict "name" "STRIPE_SECRET_KEY" "secret" .existingSecret "key" .key) }}
- { name: STRIPE_PRICE_PRO, value: {{ .pricePro | quote }} }
- { name: STRIPE_PRICE_TEAM, value: {{ .priceTeam | quote }} }
{{- end }}
{{- end }}
{{- end -}}

{{/* Address for events to leaderboard, if there are boards. */}}
{{- define "lapwing.leaderboardUrlEnv" -}}
{{- if .Values.boards.enabled -}}
- { name: LEADERBOARD_URL, value: {{ include "lapwing.url" (dict "root" . "component" "leaderboard") | quote }} }
{{- end }}
{{- end -}}
