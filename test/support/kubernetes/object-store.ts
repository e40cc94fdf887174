import { randomUUID } from 'node:crypto'

import { alreadyExists, expired, notFound, uidConflict } from './statuses.js'

/** The common part of objects, with their times as texts, as the API has them. */
export interface StoredObject {
  apiVersion?: string
  kind?: string
  metadata: Metadata
}

export interface Metadata {
  name: string
  namespace: string
  uid: string
  resourceVersion: string
  creationTimestamp: string
  deletionTimestamp?: string
  deletionGracePeriodSeconds?: number
  labels?: Record<string, string>
  annotations?: Record<string, string>
  ownerReferences?: { uid: string; name: string; kind: string; apiVersion: string }[]
}

export interface StoreEvent<T> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED'
  object: T
  version: number
}

type Listener<T> = (event: StoreEvent<T>) => void

let lastVersion = 400

/** Versions are unique over all stores, as in a cluster. */
export const currentVersion = () => lastVersion

/** The objects of one kind, with the history of their changes. */
export class ObjectStore<T extends StoredObject> {
  private readonly objects = new Map<string, T>()
  private history: StoreEvent<T>[] = []
  private oldest = lastVersion
  private readonly listeners = new Set<Listener<T>>()

  constructor(
    private readonly kind: string,
    private readonly resource: string,
  ) {}

  all(): T[] {
    return [...this.objects.values()]
  }

  find(namespace: string, name: string): T | undefined {
    return this.objects.get(`${namespace}/${name}`)
  }

  get(namespace: string, name: string): T {
    const object = this.find(namespace, name)
    if (!object) throw notFound(this.resource, name)
    return object
  }

  create(object: T): T {
    const { namespace, name } = object.metadata
    if (this.find(namespace, name)) throw alreadyExists(this.resource, name)
    const creationTimestamp = now()
    const metadata = { ...object.metadata, uid: randomUUID(), creationTimestamp }
    return this.write('ADDED', { ...object, metadata })
  }

  update(object: T): T {
    return this.write('MODIFIED', object)
  }

  /** Does nothing if it is gone. */
  remove({ metadata: { namespace, name } }: T): void {
    const object = this.find(namespace, name)
    if (object) this.write('DELETED', object)
  }

  checkUid(object: T, uid: string | undefined): void {
    const { name, uid: real } = object.metadata
    if (uid !== undefined && uid !== real) throw uidConflict(this.kind, name, uid, real)
  }

  /**
   * Calls the listener with the events after the version, and with each later one. Throws if they are no longer known.
   * After 0, it is called with all objects first.
   */
  watch(after: number, listener: Listener<T>): () => void {
    if (after === 0) for (const object of this.all()) listener({ type: 'ADDED', object, version: 0 })
    else if (after < this.oldest) throw expired(after, this.oldest)
    else for (const event of this.history) if (event.version > after) listener(event)
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Versions before now are expired, as they are in a cluster after five minutes. */
  forgetHistory(): void {
    this.history = []
    this.oldest = ++lastVersion
  }

  private write(type: StoreEvent<T>['type'], object: T): T {
    const version = ++lastVersion
    const written = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } }
    const key = `${object.metadata.namespace}/${object.metadata.name}`
    if (type === 'DELETED') this.objects.delete(key)
    else this.objects.set(key, written)
    const event = { type, object: written, version }
    this.history.push(event)
    for (const listener of [...this.listeners]) listener(event)
    return written
  }
}

/** As the API server writes times. */
export function now(milliseconds = Date.now()): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** Whether labels match a selector such as `a=b,c!=d,e,!f,g in (h,i)`. */
export function matchesSelector(labels: Record<string, string> = {}, selector: string): boolean {
  const requirements = selector.match(/(?:[^,(]|\([^)]*\))+/g) ?? []
  return requirements.every((requirement) => {
    const [, key = '', operator, values = ''] =
      /^\s*([^\s!=]+)\s*(==|=|!=|in|notin)\s*\(?([^)]*)\)?\s*$/.exec(requirement) ?? []
    if (operator === undefined) {
      const name = requirement.trim()
      return name.startsWith('!') ? !(name.slice(1) in labels) : name in labels
    }
    const isAmong = values.split(',').some((value) => labels[key] === value.trim())
    return operator === '!=' || operator === 'notin' ? !isAmong : isAmong
  })
}
