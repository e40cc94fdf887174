import type {
  V1Container,
  V1Lifecycle,
  V1PersistentVolumeClaimVolumeSource,
  V1SecurityContext,
  V1Volume,
  V1VolumeMount,
} from '@kubernetes/client-node'

/** The package has classes for the objects of the API. Here they are plain objects, which may be spread. */
type Plain<T> = Pick<T, keyof T>

export type Container = Plain<V1Container>
export type Lifecycle = Plain<V1Lifecycle>
export type SecurityContext = Plain<V1SecurityContext>
export type VolumeMount = Plain<V1VolumeMount>
export type Volume = Plain<Omit<V1Volume, 'persistentVolumeClaim'>> & {
  persistentVolumeClaim?: Plain<V1PersistentVolumeClaimVolumeSource> | undefined
}
