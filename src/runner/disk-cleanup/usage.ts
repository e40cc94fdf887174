/** A file system that something of the runner is on. */
export interface Disk {
  /** Of the device: two paths on one disk have the same. */
  id: string
  /** A path on it, for messages. */
  path: string
  sizeBytes: number
  /** For those who are not root. */
  freeBytes: number
}

export type ThingKind = 'image' | 'volume' | 'workspace' | 'cache'

/** Something that the runner made or pulled and can have again. */
export interface Thing {
  kind: ThingKind
  /** Unique among things of its kind, and understood by people. */
  name: string
  bytes: number
  /** Milliseconds since 1970. */
  lastUsed: number
  isInUse: boolean
  /** Undefined on a machine that the runner cannot look at. */
  diskId: string | undefined
}

export interface Usage {
  disks: Disk[]
  things: Thing[]
}
