{{- define "lapwing.ingest-workerEnv" -}}
{{- $values := .Values.ingestWorker }}
{{- /* The worker is a process of ingest, with its role and its schema. */}}
{{- $database := merge (dict "pool" $values.pool) .Values.ingest.database }}
{{- include "lapwing.serviceEnv" (dict "root" . "values" (dict "database" $database "env" $values.env)) }}
{{ include "lapwing.queueEnv" . }}
- { name: IDENTITY_URL, value: {{ include "lapwing.url" (dict "root" . "component" "identity") | quote }} }
- { name: INGEST_THREADS, value: {{ $values.threads | int | quote }} }
{{- end -}}
