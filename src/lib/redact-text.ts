const CENSOR = '[redacted]'

const NAMES =
  'private_token|instance_id|job_token|access_token|refresh_token|id_token|token|password|secret|client_secret'

/**
 * Forms in which secrets occur in unstructured text: URLs in errors of git and of HTTP clients, query strings,
 * headers. Each expression takes linear time.
 */
const FORMS: readonly (readonly [RegExp, string])[] = [
  // The password in `https://user:password@host`, or a token in its place.
  [/(:\/\/[^\s/?#"\\@:]*:)[^\s/?#"\\@]+@/g, `$1${CENSOR}@`],
  [/(:\/\/)[^\s/?#"\\@:]{20,}@/g, `$1${CENSOR}@`],
  [new RegExp(`([?&](?:${NAMES}|x-amz-signature|x-amz-security-token)=)[^&#\\s"\\\\]+`, 'gi'), `$1${CENSOR}`],
  [new RegExp(`("(?:${NAMES})":")(?:[^"\\\\]|\\\\.)+`, 'gi'), `$1${CENSOR}`],
  [
    /\b((?:private|job|deploy|runner)-token|authorization)((?:\\*")?: ?(?:\\*")?)(?:(?:basic|bearer) )?[^\s"\\,]+/gi,
    `$1$2${CENSOR}`,
  ],
  [/\b(gl(?:pat|oas|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|ffct)-)[\w.=-]+/g, `$1${CENSOR}`],
]

/** Removes tokens and passwords in known forms from a text. Valid JSON stays valid. */
export function redactText(text: string): string {
  return FORMS.reduce((rest, [form, replacement]) => rest.replace(form, replacement), text)
}
