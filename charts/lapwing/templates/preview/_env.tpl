{{- define "lapwing.previewEnv" -}}
- { name: PREVIEW_WORKERS, value: {{ .Values.preview.workers | int | quote }} }
- { name: PREVIEW_MAX_UPLOADS, value: {{ .Values.preview.maxUploads | int | quote }} }
{{- with .Values.preview.trustedProxies }}
- { name: TRUSTED_PROXIES, value: {{ join "," . | quote }} }
{{- end }}
{{- end -}}
