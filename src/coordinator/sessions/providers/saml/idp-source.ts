import { readAtMost } from '../../../../lib/read-at-most.js'
import { HOUR, MINUTE, SECOND } from '../../../../lib/time-units.js'
import { readIdpMetadata } from './idp-metadata.js'
import type { IdpFacts, IdpSettings } from './saml-settings.js'

/** Milliseconds for the request of metadata. */
const TIMEOUT = 10 * SECOND
/** Milliseconds after which metadata are read again. */
const METADATA_LIFE = HOUR
/** Least milliseconds between two requests because of a signature that did not match. */
const LEAST_PAUSE = MINUTE
/** Largest metadata, in bytes: those of a federation describe many providers. */
const MAX_METADATA = 8 * 1024 * 1024

/** What is known of a provider: from the settings, or from the address of its metadata. */
export class IdpSource {
  private known: IdpFacts | undefined
  private reading: Promise<IdpFacts> | undefined
  /** When the metadata were asked for, in milliseconds since 1970. */
  private askedAt = 0

  constructor(private readonly settings: IdpSettings) {}

  /** Throws if the metadata were never read. Later, those that were read last are used while their address is down. */
  async current(): Promise<IdpFacts> {
    const { settings, known } = this
    if (settings.kind === 'fixed') return settings.facts
    if (known && Date.now() - this.askedAt < METADATA_LIFE) return known
    try {
      return await this.read(settings)
    } catch (error) {
      if (known) return known
      throw error
    }
  }

  /** The metadata as they are now; undefined if they were asked for in the last minute, or cannot be read. */
  async refreshed(): Promise<IdpFacts | undefined> {
    const { settings } = this
    if (settings.kind === 'fixed' || Date.now() - this.askedAt < LEAST_PAUSE) return undefined
    return this.read(settings).catch(() => undefined) // the ones from before stay in use
  }

  private read(settings: Extract<IdpSettings, { kind: 'metadata' }>): Promise<IdpFacts> {
    this.reading ??= this.fetch(settings).finally(() => {
      this.reading = undefined
    })
    return this.reading
  }

  private async fetch({ url, entityId }: Extract<IdpSettings, { kind: 'metadata' }>): Promise<IdpFacts> {
    this.askedAt = Date.now()
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT), redirect: 'error' })
    if (!response.ok || !response.body) throw new Error(`${url} responded with the status ${response.status}`)
    const xml = (await readAtMost(response.body, MAX_METADATA)).toString()
    this.known = readIdpMetadata(xml, entityId)
    return this.known
  }
}
