/** A file system that contains items of the runner. */
export interface Disk {
  /** Identity of the device. Two paths on the same disk have the same ID. */
  id: string
  /** A path on the disk, for messages. */
  path: string
  sizeBytes: number
  /** Free bytes available to unprivileged users. */
  freeBytes: number
}

export type CleanupItemKind = 'image' | 'volume' | 'workspace' | 'cache'

/** An item that the runner created or pulled and can recreate. */
export interface UsedItem {
  kind: CleanupItemKind
  /** Unique among items of its kind, and readable. */
  name: string
  bytes: number
  /** Milliseconds since 1970. */
  lastUsed: number
  isInUse: boolean
  /** Undefined on a machine whose disks the runner cannot measure. */
  diskId: string | undefined
}

export interface Usage {
  disks: Disk[]
  items: UsedItem[]
}
