import { ClusterError } from '../cluster.js'
import type { ApiClient } from './api-client.js'
import { unexpectedResponse } from './api-errors.js'
import { type ObjectList, readList } from './api-objects.js'

const NOT_FOUND = 404
const CONFLICT = 409
/** Objects of a list that may be long. */
const PAGE_SIZE = 500

/** A kind of objects in the namespaces of a cluster. */
export interface ResourceKind<T> {
  kind: string
  /** In paths, such as `pods`. */
  resource: string
  isObject: (value: unknown) => value is T
}

/** What a deletion must be about, and how fast it must be. */
export interface DeleteOptions {
  uid?: string | undefined
  graceSeconds?: number | undefined
}

/** Which objects of a list or a watch, by selectors of the API. */
export interface Selection {
  labelSelector?: string | undefined
  fieldSelector?: string | undefined
}

/** The objects of one kind. All methods throw a `ClusterError`. */
export class ApiResource<T> {
  constructor(
    readonly client: ApiClient,
    readonly kind: ResourceKind<T>,
  ) {}

  /** `fields`: those of the object except for its kind. */
  async create(namespace: string, fields: object): Promise<T> {
    const body = { apiVersion: 'v1', kind: this.kind.kind, ...fields }
    return this.checked(await this.client.call({ method: 'POST', path: this.pathOf(namespace), body }))
  }

  /** Undefined if it does not exist. */
  async find(namespace: string, name: string, signal?: AbortSignal): Promise<T | undefined> {
    try {
      return this.checked(
        await this.client.call({ method: 'GET', path: this.pathOf(namespace, name) }, signal),
      )
    } catch (error) {
      if (hasStatus(error, [NOT_FOUND])) return undefined
      throw error
    }
  }

  /** Those of all namespaces if `namespace` is undefined. */
  async list(
    namespace: string | undefined,
    labelSelector: string,
    signal?: AbortSignal,
  ): Promise<ObjectList<T>> {
    const path = namespace === undefined ? `/api/v1/${this.kind.resource}` : this.pathOf(namespace)
    return await this.page(path, { labelSelector }, signal)
  }

  /** A list of unknown length, as it was when the first page was read. */
  async *pages(
    namespace: string,
    { labelSelector, fieldSelector }: Selection,
    signal: AbortSignal,
  ): AsyncGenerator<ObjectList<T>> {
    const query = { labelSelector, fieldSelector, limit: String(PAGE_SIZE) }
    let page = await this.page(this.pathOf(namespace), query, signal)
    yield page
    while (page.next !== undefined) {
      page = await this.page(this.pathOf(namespace), { ...query, continue: page.next }, signal)
      yield page
    }
  }

  /** Resolves also if there is no such object, or another one of the name. */
  async remove(namespace: string, name: string, { uid, graceSeconds }: DeleteOptions = {}): Promise<void> {
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      ...(graceSeconds !== undefined && { gracePeriodSeconds: graceSeconds }),
      ...(uid !== undefined && { preconditions: { uid } }),
    }
    try {
      await this.client.call({ method: 'DELETE', path: this.pathOf(namespace, name), body })
    } catch (error) {
      if (!hasStatus(error, uid === undefined ? [NOT_FOUND] : [NOT_FOUND, CONFLICT])) throw error
    }
  }

  pathOf(namespace: string, ...names: string[]): string {
    const parts = [namespace, this.kind.resource, ...names].map(encodeURIComponent)
    return ['/api/v1/namespaces', ...parts].join('/')
  }

  private async page(
    path: string,
    query: Record<string, string | undefined>,
    signal: AbortSignal | undefined,
  ): Promise<ObjectList<T>> {
    const response = await this.client.call({ method: 'GET', path, query }, signal)
    const list = readList(response, this.kind.isObject)
    if (!list) throw unexpectedResponse(this.client.server)
    return list
  }

  private checked(value: unknown): T {
    if (this.kind.isObject(value)) return value
    throw unexpectedResponse(this.client.server)
  }
}

function hasStatus(error: unknown, statuses: number[]): boolean {
  return error instanceof ClusterError && error.status !== undefined && statuses.includes(error.status)
}
