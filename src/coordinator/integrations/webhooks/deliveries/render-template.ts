import { isRecord } from '../../../../lib/is-record.js'

/**
 * Puts fields of the payload in the place of `{{path.to.field}}`, made fit for a JSON text; what is not there is empty.
 * Undefined when no JSON comes of it.
 */
export function renderTemplate(template: string, payload: unknown): string | undefined {
  const text = template.replace(/\{\{\s*([\w.]+)\s*\}\}/g, (_, path: string) =>
    insideText(fieldAt(payload, path)),
  )
  return isJson(text) ? text : undefined
}

function fieldAt(payload: unknown, path: string): unknown {
  let value = payload
  for (const key of path.split('.')) {
    if (Array.isArray(value)) value = value[Number(key)]
    else value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
  }
  return value
}

/** As it stands between quotes in JSON. */
function insideText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return JSON.stringify(typeof value === 'string' ? value : JSON.stringify(value)).slice(1, -1)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
