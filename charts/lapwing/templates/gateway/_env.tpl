{{- define "lapwing.gatewayEnv" -}}
- { name: PREVIEW_URL, value: {{ include "lapwing.url" (dict "root" . "component" "preview") | quote }} }
- { name: PUBLIC_ORIGIN, value: {{ .Values.gateway.publicOrigin | quote }} }
- { name: TRUSTED_PROXIES, value: {{ join "," .Values.gateway.trustedProxies | quote }} }
- { name: MAX_CONNECTIONS_PER_ADDRESS, value: {{ .Values.gateway.maxConnectionsPerAddress | int | quote }} }
- { name: PAGE_PREVIEW, value: {{ .Values.gateway.page.preview | quote }} }
- { name: PAGE_MAPS, value: {{ .Values.gateway.page.maps | quote }} }
{{- with .Values.gateway.map }}
- { name: MAP_STREET, value: {{ .street.source | quote }} }
- { name: MAP_STREET_TILE_SIZE, value: {{ .street.tileSize | int | quote }} }
- { name: MAP_STREET_MAX_ZOOM, value: {{ .street.maxZoom | int | quote }} }
- { name: MAP_STREET_ATTRIBUTION, value: {{ .street.attribution | quote }} }
- { name: MAP_STREET_PROXY, value: {{ .street.proxy | quote }} }
- { name: MAP_STREET_CACHE, value: {{ .street.cache | quote }} }
- { name: MAP_STREET_DAILY, value: {{ .street.daily | int | quote }} }
{{- with .street.key }}
{{- if .existingSecret }}
{{ include "lapwing.fromSecret" (dict "name" "MAP_STREET_KEY" "secret" .existingSecret "key" .key) }}
{{- end }}
{{- end }}
- { name: MAP_SATELLITE, value: {{ .satellite.source | quote }} }
- { name: MAP_SATELLITE_TILE_SIZE, value: {{ .satellite.tileSize | int | quote }} }
- { name: MAP_SATELLITE_MAX_ZOOM, value: {{ .satellite.maxZoom | int | quote }} }
- { name: MAP_SATELLITE_ATTRIBUTION, value: {{ .satellite.attribution | quote }} }
- { name: MAP_SATELLITE_PROXY, value: {{ .satellite.proxy | quote }} }
- { name: MAP_SATELLITE_CACHE, value: {{ .satellite.cache | quote }} }
- { name: MAP_SATELLITE_DAILY, value: {{ .satellite.daily | int | quote }} }
{{- with .satellite.key }}
{{- if .existingSecret }}
{{ include "lapwing.fromSecret" (dict "name" "MAP_SATELLITE_KEY" "secret" .existingSecret "key" .key) }}
{{- end }}
{{- end }}
- { name: MAP_STREET_VIEW, value: {{ .streetView | quote }} }
{{- with .photo }}
- { name: MAP_3D_ORDER, value: {{ join "," .order | quote }} }
- { name: MAP_3D_GOOGLE_KEY, value: {{ .googleKey | quote }} }
- { name: MAP_3D_GOOGLE_LOGO, value: {{ .googleLogo | quote }} }
- { name: MAP_3D_ION_TOKEN, value: {{ .ionToken | quote }} }
- { name: MAP_3D_ION_ASSET, value: {{ .ionAsset | int | quote }} }
- { name: MAP_3D_TILES, value: {{ .tiles.source | quote }} }
- { name: MAP_3D_TILES_ATTRIBUTION, value: {{ .tiles.attribution | quote }} }
- { name: MAP_3D_TERRAIN, value: {{ .terrain.source | quote }} }
- { name: MAP_3D_TERRAIN_TILE_SIZE, value: {{ .terrain.tileSize | int | quote }} }
- { name: MAP_3D_TERRAIN_MAX_ZOOM, value: {{ .terrain.maxZoom | int | quote }} }
- { name: MAP_3D_TERRAIN_ATTRIBUTION, value: {{ .terrain.attribution | quote }} }
- { name: MAP_3D_TERRAIN_PROXY, value: {{ .terrain.proxy | quote }} }
- { name: MAP_3D_TERRAIN_CACHE, value: {{ .terrain.cache | quote }} }
- { name: MAP_3D_TERRAIN_DAILY, value: {{ .terrain.daily | int | quote }} }
{{- with .terrain.key }}
{{- if .existingSecret }}
{{ include "lapwing.fromSecret" (dict "name" "MAP_3D_TERRAIN_KEY" "secret" .existingSecret "key" .key) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
- { name: VERSION, value: {{ .Chart.AppVersion | quote }} }
{{- if .Values.accounts.enabled }}
{{ include "lapwing.gatewayAccountsEnv" . }}
{{- end }}
{{- end -}}

{{/* Variables that enable accounts and boards. */}}
{{- define "lapwing.gatewayAccountsEnv" -}}
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
