const CENSOR = '[redacted]'

const NAMES =
  'private_token|job_token|access_token|refresh_token|id_token|token|password|secret|client_secret'

/**
 * Forms in which secrets get into texts that are not made of fields: addresses in errors of git and of HTTP clients,
 * queries in the addresses of requests, headers. Each expression is linear in the text.
 */
const FORMS: readonly (readonly [RegExp, string])[] = [
  // The password in `https://user:password@host`, and a token that stands there alone.
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

/** The text without tokens and passwords in the forms that are known. JSON stays JSON. */
export function redactText(text: string): string {
  return FORMS.reduce((rest, [form, replacement]) => rest.replace(form, replacement), text)
}
