{{- define "lapwing.leaderboardEnv" -}}
{{- include "lapwing.serviceEnv" (dict "root" . "values" .Values.leaderboard) }}
{{ include "lapwing.redisEnv" (dict "root" . "for" "cache") }}
{{- end -}}
