import { isRecord } from '../../../../lib/is-record.js'

/**
 * Replaces each `{{path.to.field}}` with the field of the payload, escaped for a JSON string; missing fields
 * become empty. Returns undefined if the result is not valid JSON.
 */
export function renderPayloadTemplate(template: string, payload: unknown): string | undefined {
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

/** The value as it appears inside a JSON string. */
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
