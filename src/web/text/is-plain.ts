/** Letters of Latin scripts, punctuation, arrows, boxes and other signs that can be seen. */
const PLAIN = /^[\t\n\r -~\u00A0-\u00AC\u00AE-\u02FF\u2010-\u2027\u2030-\u205E\u20A0-\u20BF\u2100-\u27FF]*$/

/** Whether a text certainly has no invisible characters. Others are looked at more closely by code that few pages need. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text)
}
