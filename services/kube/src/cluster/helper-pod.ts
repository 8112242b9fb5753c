import type { Namespace } from './namespace.ts'

export interface HelperPod {
  readonly name: string
  readonly image: string
  /** ConfigMap and claim that it mounts, by the path. */
  readonly configMaps?: Readonly<Record<string, string>>
  readonly claims?: Readonly<Record<string, string>>
}

/** Starts a pod that does nothing until `kubectl exec`, and waits until it runs. Replaces one of the same name. */
export async function startHelperPod(namespace: Namespace, pod: HelperPod): Promise<void> {
  await stopHelperPod(namespace, pod.name)
  await namespace.kubectl(['create', '--filename=-'], { input: JSON.stringify(podManifest(pod)) })
  await namespace.kubectl(['wait', `pod/${pod.name}`, '--for=condition=Ready', '--timeout=100s'])
}

export async function stopHelperPod({ kubectl }: Namespace, name: string): Promise<void> {
  await kubectl(['delete', 'pod', name, '--ignore-not-found', '--grace-period=1'])
}

function podManifest({ name, image, configMaps = {}, claims = {} }: HelperPod): object {
  const volumes = [
    ...Object.entries(configMaps).map(([path, of]) => ({ path, source: { configMap: { name: of } } })),
    ...Object.entries(claims).map(([path, claimName]) => ({
      path,
      source: { persistentVolumeClaim: { claimName } },
    })),
  ].map((volume, index) => ({ name: `volume-${index}`, ...volume }))
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 1,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        runAsGroup: 1000,
        fsGroup: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [
        {
          name: 'helper',
          image,
          imagePullPolicy: 'IfNotPresent',
          command: ['node', '--eval', 'setInterval(() => {}, 1e9)'],
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          resources: { requests: { cpu: '20m', memory: '128Mi' }, limits: { memory: '2Gi' } },
          volumeMounts: volumes.map(({ name, path }) => ({ name, mountPath: path })),
        },
      ],
      volumes: volumes.map(({ name, source }) => ({ name, ...source })),
    },
  }
}
