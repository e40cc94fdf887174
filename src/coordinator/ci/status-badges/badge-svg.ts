import { escapeMarkup } from '../../../lib/escape-markup.js'
import type { BadgeLooks } from './badge-looks.js'
import type { BadgeValue } from './badge-value.js'

const HEIGHT = 20
/** Average width of a character, and the total horizontal padding; in pixels. */
const CHARACTER_WIDTH = 6.2
const PADDING = 12
const LEAST_KEY_WIDTH = 62
const LEAST_VALUE_WIDTH = 54
const KEY_COLOR = '#555'

/** An image with two fields, the key and the value. All texts are escaped. */
export function badgeSvg(key: string, value: BadgeValue, looks: BadgeLooks): string {
  const keyText = looks.keyText ?? key
  const keyWidth = looks.keyWidth ?? widthOf(keyText, LEAST_KEY_WIDTH)
  const valueWidth = looks.valueWidth ?? widthOf(value.text, LEAST_VALUE_WIDTH)
  const width = keyWidth + valueWidth
  const isFlat = looks.style === 'flat'
  const title = escaped(`${keyText}: ${value.text}`)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    ...(isFlat ? [SHADE, `<clipPath id="corners">${rectangle(0, width, '#fff', 3)}</clipPath>`] : []),
    `<g${isFlat ? ' clip-path="url(#corners)"' : ''}>`,
    rectangle(0, keyWidth, KEY_COLOR),
    rectangle(keyWidth, valueWidth, value.color),
    ...(isFlat ? [rectangle(0, width, 'url(#shade)')] : []),
    '</g>',
    '<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">',
    ...label(keyText, keyWidth / 2, isFlat),
    ...label(value.text, keyWidth + valueWidth / 2, isFlat),
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}

const SHADE =
  '<linearGradient id="shade" x2="0" y2="100%"><stop offset="0" stop-color="#bbb" stop-opacity=".1"/><stop offset="1" stop-opacity=".1"/></linearGradient>'

function rectangle(x: number, width: number, fill: string, radius = 0): string {
  return `<rect x="${x}" width="${width}" height="${HEIGHT}" fill="${fill}"${radius ? ` rx="${radius}"` : ''}/>`
}

/** Adds a shadow below the text unless the badge is flat. */
function label(text: string, x: number, hasShadow: boolean): string[] {
  const content = escaped(text)
  const shadow = `<text x="${x}" y="15" fill="#010101" fill-opacity=".3">${content}</text>`
  return [...(hasShadow ? [shadow] : []), `<text x="${x}" y="14">${content}</text>`]
}

function widthOf(text: string, least: number): number {
  return Math.max(least, Math.round(text.length * CHARACTER_WIDTH) + PADDING)
}

/** Control characters have no place in XML at all, nor have halves of characters. */
// oxlint-disable-next-line no-control-regex
const NOT_IN_XML = /[\u0000-\u001f\u007f-\u009f\ufffe\uffff]/g

function escaped(text: string): string {
  const writable = text.replace(NOT_IN_XML, ' ').replace(/\p{Surrogate}/gu, '\ufffd')
  return escapeMarkup(writable)
}
