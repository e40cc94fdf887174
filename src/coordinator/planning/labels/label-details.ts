import { type Static, Type } from 'typebox'

import { renderMarkdown } from '../../../lib/markdown/render-markdown.js'
import { described } from '../../http/parameters/described.js'
import { NullableText } from '../../http/parameters/types.js'
import type { LabelRow } from '../stores/label-store.js'
import { textColorOn } from './label-color.js'

/** A label in lists that are asked for its details (API, F1). */
export const LabelDetails = Type.Object({
  id: described(Type.Integer(), 'ID of the label.'),
  name: described(Type.String(), 'Name.'),
  color: described(Type.String(), 'Color: `#rrggbb` or `#rgb`.'),
  description: described(NullableText, 'Description; null if there is none.'),
  description_html: described(Type.String(), 'Description as HTML.'),
  text_color: described(Type.String(), 'Color for text on the color of the label.'),
})
export type LabelDetails = Static<typeof LabelDetails>

export async function labelDetails({ id, name, color, description }: LabelRow): Promise<LabelDetails> {
  const description_html = description === null ? '' : await renderMarkdown(description)
  return { id, name, color, description, description_html, text_color: textColorOn(color) }
}
