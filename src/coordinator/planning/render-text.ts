import type { Project, User } from '../access/caller.js'

/** Whose text it is, and who reads it: references become links to what the reader may see. */
interface TextReader {
  /** Project to which short references such as `#1` belong; undefined for a text of a group. */
  context: Project | undefined
  user: User | undefined
}

/** Renders a text in Markdown as HTML that is safe to display. */
export type RenderText = (text: string, reader: TextReader) => Promise<string>
