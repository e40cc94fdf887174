import type { ConfigSources } from '../sources.js'
import type { FileContext } from './file-context.js'
import { findFile } from './find-file.js'
import type { FoundFile } from './found-file.js'
import type { IncludeItem } from './include-item.js'
import { type IncludeLocation, locationOf } from './include-location.js'

/** One file of a list of includes, which can be prefetched. */
export class RequestedFile {
  private wanted: IncludeLocation | undefined
  private found: Promise<FoundFile> | undefined

  constructor(
    private readonly item: IncludeItem,
    /** The context of the including file. */
    readonly context: FileContext,
    private readonly sources: ConfigSources,
  ) {}

  /** Throws `ConfigError` for an entry that names no place. */
  location(): IncludeLocation {
    return (this.wanted ??= locationOf(this.item, (text) => this.context.expand(text)))
  }

  /** Looks the file up once; rejects with `ConfigError` if it does not exist. */
  find(): Promise<FoundFile> {
    return (this.found ??= this.fetch())
  }

  /** Starts the fetch; errors are reported when the file is processed. */
  prefetch(): void {
    this.find().catch(() => undefined)
  }

  private async fetch(): Promise<FoundFile> {
    return findFile(this.location(), this.context, this.sources)
  }
}
