import type { Project, User } from '../access/caller.js'

/** Whose text it is, and who reads it: references become links to what the reader may see. */
interface TextReader {
  /** Project to which short references such as `#1` belong; undefined for a text of a group. */
  context: Project | undefined
  user: User | undefined
}

/**
 * Renders texts in Markdown as HTML that is safe to display. The texts of one response share limits on the work for
 * their links; references above them stay text.
 */
export type TextRenderer = (reader: TextReader) => (text: string) => Promise<string>
