{{- define "reelmill.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "reelmill.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" }}
{{- else if contains (include "reelmill.name" .) .Release.Name }}
{{- .Release.Name | trunc 52 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "reelmill.name" .) | trunc 52 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "reelmill.selector" -}}
app.kubernetes.io/name: {{ include "reelmill.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "reelmill.labels" -}}
{{ include "reelmill.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "reelmill.secretName" -}}
{{- default (include "reelmill.fullname" .) .Values.secret.existing }}
{{- end }}

{{- define "reelmill.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "reelmill.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "reelmill.image" -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) }}
{{- end }}

{{/* What the pods of servers and transcoders share. */}}
{{- define "reelmill.pod" -}}
serviceAccountName: {{ include "reelmill.serviceAccountName" . }}
automountServiceAccountToken: false
# A Service named reelmill would set REELMILL_PORT. The programs tell that apart; they needn't.
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "reelmill.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
{{- end }}

{{- define "reelmill.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "reelmill.fromSecret" -}}
- name: {{ .key }}
  valueFrom: { secretKeyRef: { name: {{ include "reelmill.secretName" .root }}, key: {{ .key }} } }
{{- end }}

{{- define "reelmill.settings" -}}
{{- range $name, $value := . }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- end }}

{{/* Whether KEDA places a transcoder for each job, in place of transcoders that run on. */}}
{{- define "reelmill.isPlaced" -}}
{{- and .Values.autoscaling.enabled (eq .Values.autoscaling.kind "ScaledJob") }}
{{- end }}

{{- define "reelmill.metricsUrl" -}}
{{- printf "http://%s-metrics.%s.svc:%v/metrics" (include "reelmill.fullname" .) .Release.Namespace .Values.service.metricsPort }}
{{- end }}
