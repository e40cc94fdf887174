import { maskedForms } from '../../masking/masked-forms.js'
import {
  type ByteFilter,
  chainFilters,
  PhraseMasker,
  SecretRunMasker,
  UrlCredentialsMasker,
  Utf8Repair,
} from './byte-filters.js'
import { type LimitState, OutputLimit } from './output-limit.js'

export interface TraceRules {
  /** Values that must never appear in a log, in any of the forms of `maskedForms`. */
  secrets: readonly string[]
  /** Token prefixes in addition to the usual ones (`features.token_mask_prefixes`). */
  tokenPrefixes: readonly string[]
  /** Number of log bytes that are kept, before a notice and the last lines. */
  limit: number
}

const TOKEN_PREFIXES = [
  'glpat-',
  'gloas-',
  'gldt-',
  'glrt-',
  'glcbt-',
  'glrtr-',
  'glptt-',
  'glft-',
  'glimt-',
  'glagent-',
  'glsoat-',
  'glffct-',
  '_gitlab_session=',
  'gltok-',
]

const SECRET_PARAMETERS = [
  'private_token',
  'authenticity_token',
  'rss_token',
  'x-amz-signature',
  'x-amz-credential',
  'x-amz-security-token',
]

/** The processing of log bytes before they are stored, in this order (runner protocol, 4.6 and 4.3). */
export interface TraceFilter extends ByteFilter {
  /** Counts bytes that another filter with the same rules already passed on. The text continues after them. */
  resume(chunk: Buffer): void
  /** The bytes that the filter left out when the text was complete. Undefined if it left out none. */
  readonly leftOut: LimitState | undefined
  /** Must be called after `resume`, with `leftOut` of the other filter. */
  restore(leftOut: LimitState): void
  /** Masks additional values. Call it after `flushMasked`, when nothing is held back. */
  hide(secrets: readonly string[]): void
  /**
   * Marks a position at which no secret can be split. Returns the bytes that were held back. The text continues.
   */
  flushMasked(): Buffer
}

export function createTraceFilter(rules: TraceRules): TraceFilter {
  const phrases = hiddenPhrases(rules.secrets)
  const clean = chainFilters([
    phrases,
    new UrlCredentialsMasker(),
    new SecretRunMasker({
      introductions: SECRET_PARAMETERS.flatMap((name) => [`?${name}=`, `&${name}=`]),
      ignoreCase: true,
      continues: (byte) => byte > 0x20 && byte !== 0x7f && byte !== 0x26 && byte !== 0x3f,
    }),
    new SecretRunMasker({
      introductions: [
        ...new Set([...TOKEN_PREFIXES, ...rules.tokenPrefixes.filter((prefix) => prefix !== '')]),
      ],
      ignoreCase: false,
      continues: (byte) => /[0-9A-Za-z._=-]/.test(String.fromCharCode(byte)),
    }),
    new Utf8Repair(),
  ])
  const limit = new OutputLimit(rules.limit)
  return {
    resume: (chunk) => limit.resume(chunk),
    get leftOut() {
      return limit.state
    },
    restore: (leftOut) => limit.restore(leftOut),
    hide: phrases.hide,
    push: (chunk) => limit.push(clean.push(chunk)),
    flushMasked: () => limit.push(clean.flush()),
    flush: () => Buffer.concat([limit.push(clean.flush()), limit.flush()]),
  }
}

function hiddenPhrases(secrets: readonly string[]): ByteFilter & Pick<TraceFilter, 'hide'> {
  const hidden = new Set(secrets)
  let masker = new PhraseMasker(maskedForms([...hidden]))
  return {
    push: (chunk) => masker.push(chunk),
    flush: () => masker.flush(),
    hide: (more) => {
      for (const secret of more) hidden.add(secret)
      masker = new PhraseMasker(maskedForms([...hidden]))
    },
  }
}
