import { LRUCache } from 'lru-cache'

import { escapeInTurns } from '../escape-in-turns.js'
import { sha256Base64 } from '../sha256.js'
import { ThreadPool } from '../thread-pool.js'
import { MINUTE } from '../time-units.js'
import { DeadlineThreads, TaskTooCostlyError } from './deadline-threads.js'
import type { DocumentLocation } from './document-addresses.js'
import { type MarkdownTask, performMarkdownTask, type ShownText, type TextLink } from './markdown-html.js'
import { MARKDOWN_WORKER, MARKDOWN_WORKER_FILE } from './markdown-worker.js'

export type { DocumentLocation, ShownText, TextLink }

/** In characters. Longer texts are not rendered, which limits the cost. */
const MAX_TEXT_LENGTH = 64 * 1024
/** In characters. Longer texts are rendered in a thread: the worst ones of this length take 3 ms. */
const MAX_LENGTH_HERE = 512
/** Maximum length, in characters, of the texts that are rendered here in one turn of the event loop. */
const MAX_LENGTH_IN_TURN = 2048
/** Total length of the results that are cached, in characters. */
const MAX_CACHED_LENGTH = 4 * 1024 * 1024
/** A text that took too long is tried again after this time: the machine may have been busy. */
const TOO_COSTLY_MILLISECONDS = 10 * MINUTE
/** The worst texts of 64 KiB that are known take a third of a second. */
const DEADLINE_MILLISECONDS = 2000
const AT_ONCE = 1
const MEMORY_MEGABYTES = 128

/** Undefined for a text that is too costly. */
type Result = { value: string | ShownText[] | undefined }

/** Where long texts are rendered. `run` throws TaskTooCostlyError for a text that takes too long. */
export interface MarkdownThreads {
  run(task: MarkdownTask): Promise<unknown>
}

/**
 * Renders Markdown as HTML (CommonMark with tables, strikethrough and bare URLs). The result is safe to display:
 * markup in the text is escaped, and links use only http, https, ftp and mailto. Long texts are rendered in a thread. A
 * text over 64 KiB, or one that takes too long, is shown as it is.
 */
export class MarkdownRenderer {
  private readonly results = new LRUCache<string, Result>({
    maxSize: MAX_CACHED_LENGTH,
    sizeCalculation: ({ value }, key) => key.length + lengthOf(value),
  })
  private readonly running = new Map<string, Promise<Result>>()
  private lengthInTurn = 0

  constructor(private readonly threads: MarkdownThreads) {}

  async render(task: Exclude<MarkdownTask, { kind: 'texts' }>): Promise<string> {
    if (task.text.length > MAX_TEXT_LENGTH) return formatPlain(task.text)
    const { value } = await this.perform(task)
    return typeof value === 'string' ? value : formatTooCostly(task.text)
  }

  /** With task lists and links: see `renderMarkdownWithLinks`, and for a document `renderMarkdownDocument`. */
  async renderWithLinks(text: string, linksIn: LinksIn, location?: DocumentLocation): Promise<string> {
    if (text.length > MAX_TEXT_LENGTH) return formatPlain(text)
    const isWiki = location !== undefined && 'pages' in location
    const { value } = await this.perform({ kind: 'texts', text, isWiki })
    if (!Array.isArray(value)) return formatTooCostly(text)
    const links = await linksIn(value)
    return this.render(
      location ? { kind: 'document', text, location, links } : { kind: 'linked', text, links },
    )
  }

  private async perform(task: MarkdownTask): Promise<Result> {
    const key = sha256Base64(JSON.stringify(task))
    const known = this.results.get(key) ?? this.running.get(key)
    if (known) return known
    if (this.isCheap(task)) {
      const result = { value: performMarkdownTask(task) }
      this.results.set(key, result)
      return result
    }
    const result = this.performInThread(key, task).finally(() => this.running.delete(key))
    this.running.set(key, result)
    return result
  }

  private async performInThread(key: string, task: MarkdownTask): Promise<Result> {
    try {
      const result = { value: (await this.threads.run(task)) as string | ShownText[] }
      this.results.set(key, result)
      return result
    } catch (error) {
      if (!(error instanceof TaskTooCostlyError)) throw error
      const result = { value: undefined }
      this.results.set(key, result, { ttl: TOO_COSTLY_MILLISECONDS })
      return result
    }
  }

  /** Whether the event loop can do the task: lists have many short texts. */
  private isCheap({ text }: MarkdownTask): boolean {
    const length = this.lengthInTurn + text.length
    if (text.length > MAX_LENGTH_HERE || length > MAX_LENGTH_IN_TURN) return false
    if (this.lengthInTurn === 0) setImmediate(() => (this.lengthInTurn = 0))
    this.lengthInTurn = length
    return true
  }
}

/** Finds the links of each text, in order and without overlaps. */
export type LinksIn = (texts: readonly ShownText[]) => Promise<readonly (readonly TextLink[])[]>

function lengthOf(value: Result['value']): number {
  if (value === undefined) return 0
  return typeof value === 'string' ? value.length : value.reduce((sum, { text }) => sum + text.length, 0)
}

async function formatPlain(text: string): Promise<string> {
  return `<pre>${await escapeInTurns(text)}</pre>`
}

async function formatTooCostly(text: string): Promise<string> {
  return `<p>This text takes too long to format, so it is shown as it is.</p>\n${await formatPlain(text)}`
}

/** One for the process: its threads are started by the first long text, and end when they are idle. */
const renderer = new MarkdownRenderer(
  new DeadlineThreads<MarkdownTask>(
    new ThreadPool(MARKDOWN_WORKER_FILE, {
      workerData: MARKDOWN_WORKER,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MEGABYTES },
    }),
    { atOnce: AT_ONCE, deadlineMilliseconds: DEADLINE_MILLISECONDS },
  ),
)

/** Renders Markdown as HTML: see `MarkdownRenderer`. */
export async function renderMarkdown(text: string): Promise<string> {
  return renderer.render({ kind: 'html', text })
}

/** Renders the inline elements of Markdown, such as emphasis and links; blocks, such as headings, stay text. */
export async function renderMarkdownInline(text: string): Promise<string> {
  return renderer.render({ kind: 'inline', text })
}

/**
 * Renders Markdown with task lists, and with links to what this instance knows. `linksIn` is called once with all texts
 * outside of code and links.
 */
export async function renderMarkdownWithLinks(text: string, linksIn: LinksIn): Promise<string> {
  return renderer.renderWithLinks(text, linksIn)
}

/**
 * Renders a document of a repository, with task lists. Headings have ids, to which links such as `#install` lead. Links
 * and pictures without a host lead to the files beside it, and pictures of other hosts become links. With `linksIn`, it
 * also has links to what this instance knows.
 */
export async function renderMarkdownDocument(
  text: string,
  location: DocumentLocation,
  linksIn?: LinksIn,
): Promise<string> {
  return linksIn
    ? renderer.renderWithLinks(text, linksIn, location)
    : renderer.render({ kind: 'document', text, location })
}
