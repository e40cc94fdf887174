import { renderMarkdown } from '../../lib/markdown/render-markdown.js'
import type { Database } from '../database/connect.js'
import { findAppearanceValues } from '../database/stores/appearance-store.js'
import { Markup, markup } from '../http/html-page.js'
import { imageAddress } from '../instance/appearance/images.js'

/** What the instance shows of itself above the heading of a page. */
export interface Brand {
  brand: Markup | undefined
  showsImages: boolean
}

/** Logo, title and description that administrators have chosen. */
export async function readBrand(database: Database): Promise<Brand> {
  const { logo, title, description } = await findAppearanceValues(database, 'logo', 'title', 'description')
  const image = imageAddress('logo', logo)
  if (image === null && title === '' && description === '') return { brand: undefined, showsImages: false }
  const brand = markup`<div class="brand">${image === null ? '' : markup`<img src="${image}" alt="">`}
${title === '' ? '' : markup`<strong>${title}</strong>`}
${description === '' ? '' : new Markup(await renderMarkdown(description))}</div>`
  return { brand, showsImages: image !== null }
}
