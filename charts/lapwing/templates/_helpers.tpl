{{/* Name of a component's objects: <release>-<component>, 63 characters at most. */}}
{{- define "lapwing.name" -}}
{{- $values := .root.Values -}}
{{- $base := ternary .root.Release.Name (printf "%s-%s" .root.Release.Name $values.nameOverride) (empty $values.nameOverride) -}}
{{- $room := min 50 (sub 62 (len .component)) | int -}}
{{- printf "%s-%s" ($values.fullnameOverride | default $base | trunc $room | trimSuffix "-") .component -}}
{{- end -}}

{{/* Labels that select a component's pods. The chart's version must not be here: selectors cannot change. */}}
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

{{/*
Settings of a component's pods: those of all pods, and its own. Maps merge, lists add up, and a text of its own wins.
"values" is its part of the values. `merge` is of no use here: it takes false and 0 for missing.
*/}}
{{- define "lapwing.pod" -}}
{{- $pod := dict -}}
{{- $own := .values.pod -}}
{{- range $name, $all := .root.Values.pods -}}
{{- $its := get $own $name -}}
{{- if kindIs "map" $all -}}
{{- $merged := deepCopy $all -}}
{{- range $key, $value := $its | default dict -}}
{{- $_ := set $merged $key $value -}}
{{- end -}}
{{- $_ := set $pod $name $merged -}}
{{- else if kindIs "slice" $all -}}
{{- $_ := set $pod $name (concat $all ($its | default list)) -}}
{{- else -}}
{{- $_ := set $pod $name ($its | default $all) -}}
{{- end -}}
{{- end -}}
{{- toYaml $pod -}}
{{- end -}}

{{/* Labels of a component's pods. Those that select them cannot be replaced. */}}
{{- define "lapwing.podLabels" -}}
{{- $pod := include "lapwing.pod" . | fromYaml -}}
{{- merge (include "lapwing.labels" . | fromYaml) $pod.labels | toYaml -}}
{{- end -}}

{{- define "lapwing.podAnnotations" -}}
{{- $pod := include "lapwing.pod" . | fromYaml -}}
{{- with $pod.annotations -}}
annotations: {{- toYaml . | nindent 2 }}
{{- end -}}
{{- end -}}

{{/* Where a component's pods run. With "job", they are not spread. */}}
{{- define "lapwing.scheduling" -}}
{{- $pod := include "lapwing.pod" . | fromYaml -}}
{{- $spec := dict -}}
{{- range $name := list "priorityClassName" "nodeSelector" "affinity" "tolerations" -}}
{{- with get $pod $name -}}
{{- $_ := set $spec $name . -}}
{{- end -}}
{{- end -}}
{{- if and $pod.topologySpreadConstraints (not .job) -}}
{{- $selector := dict "matchLabels" (include "lapwing.selector" . | fromYaml) -}}
{{- $constraints := list -}}
{{- range $pod.topologySpreadConstraints -}}
{{- $constraints = append $constraints (merge . (dict "labelSelector" $selector)) -}}
{{- end -}}
{{- $_ := set $spec "topologySpreadConstraints" $constraints -}}
{{- end -}}
{{- with $spec -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}

{{- define "lapwing.extraEnv" -}}
{{- with (include "lapwing.pod" . | fromYaml).extraEnv -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}

{{- define "lapwing.extraVolumes" -}}
{{- with (include "lapwing.pod" . | fromYaml).extraVolumes -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}

{{- define "lapwing.extraVolumeMounts" -}}
{{- with (include "lapwing.pod" . | fromYaml).extraVolumeMounts -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}

{{/*
Address of an image: registry, repository, tag and digest. A tag of digits alone can arrive as a number, which Helm
would print as 2.0261129e+07.
*/}}
{{- define "lapwing.image" -}}
{{- $tag := .image.tag | default .root.Values.global.imageTag | default .root.Chart.AppVersion -}}
{{- if not (kindIs "string" $tag) }}{{ $tag = $tag | int64 | toString }}{{ end -}}
{{- with .root.Values.global.imageRegistry }}{{ . }}/{{ end -}}
{{- printf "%s:%s" .image.repository $tag -}}
{{- with .image.digest }}@{{ . }}{{ end -}}
{{- end -}}

{{/*
Pod level of the restricted Pod Security Standard, with the operator's changes. OpenShift assigns the ids itself and
refuses others.
*/}}
{{- define "lapwing.podSecurity" -}}
{{- $context := dict "runAsNonRoot" true "seccompProfile" (dict "type" "RuntimeDefault") -}}
{{- with .root.Values.podSecurity -}}
{{- if .fixedIds -}}
{{- $ids := dict "runAsUser" (int64 .runAsUser) "runAsGroup" (int64 .runAsGroup) "fsGroup" (int64 .fsGroup) -}}
{{- $context = merge $context $ids -}}
{{- end -}}
{{- end -}}
{{- range $key, $value := (include "lapwing.pod" . | fromYaml).securityContext -}}
{{- $_ := set $context $key $value -}}
{{- end -}}
{{- toYaml $context -}}
{{- end -}}

{{/* Container level of the restricted Pod Security Standard and a read-only file system, with the operator's changes. */}}
{{- define "lapwing.containerSecurity" -}}
{{- $context := dict "allowPrivilegeEscalation" false "readOnlyRootFilesystem" true -}}
{{- $_ := set $context "capabilities" (dict "drop" (list "ALL")) -}}
{{- range $key, $value := (include "lapwing.pod" . | fromYaml).containerSecurityContext -}}
{{- $_ := set $context $key $value -}}
{{- end -}}
{{- toYaml $context -}}
{{- end -}}

{{/* Variables of every process. "values" is its part of the values. */}}
{{- define "lapwing.processEnv" -}}
- { name: PORT, value: "8080" }
- { name: METRICS_PORT, value: "9464" }
- { name: LOG_LEVEL, value: {{ .values.logLevel | quote }} }
- { name: DRAIN_MS, value: {{ mul .values.drainSeconds 1000 | int | quote }} }
{{- if ne .component "ingest-worker" }}
# Longer than the 9 s for which clients and other processes leave a connection idle.
- { name: KEEP_SERVING_MS, value: "10000" }
{{- end }}
{{- with .root.Values.traces }}
{{- if .endpoint }}
- { name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ .endpoint | quote }} }
- { name: OTEL_TRACES_SAMPLER_ARG, value: {{ .sampledShare | quote }} }
{{- end }}
{{- end }}
{{- end -}}

{{/* Address of a component for other pods. */}}
{{- define "lapwing.url" -}}
http://{{ include "lapwing.name" . }}
{{- end -}}

{{/* A variable "name" whose value is the "key" of the Secret "secret". */}}
{{- define "lapwing.fromSecret" -}}
- { name: {{ .name }}, valueFrom: { secretKeyRef: { name: {{ .secret | quote }}, key: {{ .key | quote }} } } }
{{- end -}}

{{/* Name of the Secret with all that the bundled servers need. */}}
{{- define "lapwing.bundledSecret" -}}
{{- if .Values.bundled.enabled -}}
{{- include "lapwing.name" (dict "root" . "component" "bundled") -}}
{{- end -}}
{{- end -}}

{{/* A variable "name" from the Secret and the key that "of" names, or from the Secret of the bundled servers. */}}
{{- define "lapwing.secretEnv" -}}
{{- $secret := .of.existingSecret | default (include "lapwing.bundledSecret" .root) -}}
{{- include "lapwing.fromSecret" (dict "name" .name "secret" $secret "key" .of.key) -}}
{{- end -}}

{{/* Address of a service's database. "values" is its part of the values. */}}
{{- define "lapwing.databaseEnv" -}}
{{- include "lapwing.secretEnv" (dict "root" .root "name" "DATABASE_URL" "of" .values.database) -}}
{{- end -}}

{{/* Variables of every service with a schema. "values" is its part of the values. */}}
{{- define "lapwing.serviceEnv" -}}
- { name: DATABASE_POOL, value: {{ .values.database.pool | int | quote }} }
{{ include "lapwing.databaseEnv" . }}
{{ include "lapwing.secretEnv" (dict "root" .root "name" "INTERNAL_KEY" "of" .root.Values.internalKey) }}
{{- range $name, $value := .values.env }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end -}}

{{/* Name of the project; gateway and identity must have the same. */}}
{{- define "lapwing.projectEnv" -}}
- { name: PUBLIC_TOKEN, value: {{ .Values.accounts.publicToken | quote }} }
- { name: PROJECT_ID, value: {{ .Values.accounts.projectId | quote }} }
{{- with .Values.accounts.issuer }}
- { name: JWT_ISSUER, value: {{ . | quote }} }
{{- end }}
{{- end -}}

{{/* Redis: "for" is cache or queue. */}}
{{- define "lapwing.redisEnv" -}}
{{- $redis := .root.Values.redis -}}
{{- $of := dict "existingSecret" $redis.existingSecret "key" (get $redis.keys .for) -}}
{{- include "lapwing.secretEnv" (dict "root" .root "name" "REDIS_URL" "of" $of) -}}
{{- end -}}

{{/* Public address of the object store. Browsers reach a bundled one by a forwarded port. */}}
{{- define "lapwing.publicStore" -}}
{{- $bundled := ternary "http://localhost:7070" "" .Values.bundled.enabled -}}
{{- .Values.objectStore.publicEndpoint | default .Values.objectStore.endpoint | default $bundled -}}
{{- end -}}

{{- define "lapwing.bucket" -}}
{{- .Values.objectStore.bucket | default (ternary "lapwing" "" .Values.bundled.enabled) -}}
{{- end -}}

{{- define "lapwing.objectStoreEnv" -}}
{{- $store := .Values.objectStore -}}
{{- $bundled := printf "%s:7070" (include "lapwing.url" (dict "root" . "component" "object-store")) -}}
{{- $id := dict "existingSecret" $store.existingSecret "key" $store.keys.accessKeyId -}}
{{- $key := dict "existingSecret" $store.existingSecret "key" $store.keys.secretAccessKey -}}
- { name: S3_ENDPOINT, value: {{ $store.endpoint | default (ternary $bundled "" .Values.bundled.enabled) | quote }} }
- { name: S3_PUBLIC_ENDPOINT, value: {{ include "lapwing.publicStore" . | quote }} }
- { name: S3_BUCKET, value: {{ include "lapwing.bucket" . | quote }} }
- { name: S3_REGION, value: {{ $store.region | quote }} }
{{ include "lapwing.secretEnv" (dict "root" . "name" "S3_ACCESS_KEY_ID" "of" $id) }}
{{ include "lapwing.secretEnv" (dict "root" . "name" "S3_SECRET_ACCESS_KEY" "of" $key) }}
{{- end -}}

{{/* Variables of both processes of ingest. */}}
{{- define "lapwing.queueEnv" -}}
{{- include "lapwing.redisEnv" (dict "root" . "for" "queue") }}
{{ include "lapwing.objectStoreEnv" . }}
- { name: LEADERBOARD_URL, value: {{ include "lapwing.url" (dict "root" . "component" "leaderboard") | quote }} }
{{- end -}}

{{/*
Updates the schema of a service before its new version starts, and stops the release if that fails.
Beside "root", "component" and "values", "env" has its variables beside the database, if any.
A hook of the first installation has no ServiceAccount yet. A bundled Postgres starts after hooks, so there the Job is an
ordinary one of each revision, which waits. Pods are ready only after it.
*/}}
{{- define "lapwing.migration" -}}
{{- $here := merge (dict "component" (printf "%s-migration" .component)) . -}}
{{- $bundled := .root.Values.bundled.enabled -}}
{{- $job := printf "%s-%d" $here.component .root.Release.Revision -}}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ include "lapwing.name" (dict "root" .root "component" (ternary $job $here.component $bundled)) }}
  labels: {{- include "lapwing.labels" $here | nindent 4 }}
    lapwing/hook: migration
  {{- if not $bundled }}
  annotations:
    helm.sh/hook: pre-install,pre-upgrade
    # A failed Job stays, so that its log can be read.
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
  {{- end }}
spec:
  backoffLimit: 2
  ttlSecondsAfterFinished: 86400
  # Longer than the ten minutes that a statement of a migration may take.
  activeDeadlineSeconds: 900
  template:
    metadata:
      {{- with include "lapwing.podAnnotations" $here }}{{ . | nindent 6 }}{{ end }}
      labels: {{- include "lapwing.podLabels" $here | nindent 8 }}
        lapwing/hook: migration
    spec:
      restartPolicy: Never
      automountServiceAccountToken: false
      enableServiceLinks: false
      {{- with .root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- range . }}
        - name: {{ . }}
        {{- end }}
      {{- end }}
      securityContext: {{- include "lapwing.podSecurity" . | nindent 8 }}
      {{- with include "lapwing.scheduling" (merge (dict "job" true) $here) }}{{ . | nindent 6 }}{{ end }}
      {{- if $bundled }}
      initContainers:
        - name: wait-for-postgres
          image: {{ include "lapwing.image" (dict "root" .root "image" .values.image) | quote }}
          imagePullPolicy: {{ .values.image.pullPolicy }}
          command:
            - node
            - --eval
            - |
              const { connect } = require('node:net')
              function attempt() {
                connect(5432, process.argv[1], () => process.exit()).on('error', () => setTimeout(attempt, 1000))
              }
              attempt()
            - {{ include "lapwing.name" (dict "root" .root "component" "postgres") }}
          securityContext: {{- include "lapwing.containerSecurity" . | nindent 12 }}
          resources:
            requests: { cpu: 10m, memory: 64Mi, ephemeral-storage: 64Mi }
            limits: { memory: 128Mi, ephemeral-storage: 64Mi }
      {{- end }}
      containers:
        - name: migrate
          image: {{ include "lapwing.image" (dict "root" .root "image" .values.image) | quote }}
          imagePullPolicy: {{ .values.image.pullPolicy }}
          command: [node, src/migrate.ts]
          securityContext: {{- include "lapwing.containerSecurity" . | nindent 12 }}
          env:
            {{- include "lapwing.databaseEnv" . | nindent 12 }}
            {{- with .env }}
            {{- . | nindent 12 }}
            {{- end }}
            {{- with include "lapwing.extraEnv" . }}{{ . | nindent 12 }}{{ end }}
          resources:
            requests: { cpu: 50m, memory: 128Mi, ephemeral-storage: 64Mi }
            limits: { memory: 512Mi, ephemeral-storage: 256Mi }
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
            {{- with include "lapwing.extraVolumeMounts" . }}{{ . | nindent 12 }}{{ end }}
      volumes:
        - name: tmp
          emptyDir: { sizeLimit: 64Mi }
        {{- with include "lapwing.extraVolumes" . }}{{ . | nindent 8 }}{{ end }}
{{- end -}}

{{/* Prometheus may read the metrics of every component. */}}
{{- define "lapwing.scrapes" -}}
- ports: [{ port: metrics }]
  {{- with .root.Values.metrics.from }}
  from: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{- define "lapwing.peers" -}}
{{- range $index, $component := .components }}
{{- if $index }}
{{ end -}}
- podSelector:
    matchLabels: {{- include "lapwing.selector" (dict "root" $.root "component" $component) | nindent 6 }}
{{- end }}
{{- end -}}

{{/* Connections to servers outside the chart, by their names in networkPolicy.outside, or to the bundled ones. */}}
{{- define "lapwing.outside" -}}
{{- $bundled := dict "postgres" "postgres" "redis" "valkey" "objectStore" "object-store" "mail" "mail" }}
{{- range $index, $name := .outside }}
{{- $place := get $.root.Values.networkPolicy.outside $name }}
{{- if $index }}
{{ end -}}
{{- if and $.root.Values.bundled.enabled (hasKey $bundled $name) -}}
- to: {{- include "lapwing.peers" (dict "root" $.root "components" (list (get $bundled $name))) | nindent 4 }}
{{- else -}}
- ports: [{{ range $at, $port := $place.ports }}{{ if $at }}, {{ end }}{ port: {{ $port }} }{{ end }}]
  {{- with $place.to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Connections to the collector of traces, if there is one. */}}
{{- define "lapwing.toCollector" -}}
{{- if .root.Values.traces.endpoint -}}
{{- include "lapwing.outside" (dict "root" .root "outside" (list "traces")) -}}
{{- end -}}
{{- end -}}

{{- define "lapwing.dns" -}}
- to: {{- toYaml .root.Values.networkPolicy.dns.to | nindent 4 }}
  ports:
    {{- range .root.Values.networkPolicy.dns.ports }}
    - { port: {{ . }}, protocol: UDP }
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
{{- end -}}

{{/* Pod level of the restricted Pod Security Standard for a bundled server with the user "user". */}}
{{- define "lapwing.bundledSecurity" -}}
runAsNonRoot: true
{{- if .root.Values.podSecurity.fixedIds }}
runAsUser: {{ .user | int64 }}
runAsGroup: {{ .user | int64 }}
fsGroup: {{ .user | int64 }}
{{- end }}
seccompProfile: { type: RuntimeDefault }
{{- end -}}
