import type { RequestError } from '../../api/client.js'
import { fieldErrors } from '../../api/error-message.js'
import { Alert } from '../../kit/alert.js'

/** Fields whose problems are shown beside them. */
const SHOWN_AT_FIELDS = new Set(['name', 'path', 'default_branch', 'import_url'])

/** Why the server refused a form, unless each problem is shown at its field. */
export function FormError({ error }: { error: RequestError | undefined }) {
  if (!error) return null
  const fields = Object.keys(fieldErrors(error.body))
  if (fields.length > 0 && fields.every((field) => SHOWN_AT_FIELDS.has(field))) return null
  return <Alert tone="error" title={error.message} />
}
