import { maskedForms } from '../../masking/masked-forms.js'
import { type ByteFilter, chainFilters } from './byte-filter.js'
import type { LimitState } from './limit-state.js'
import { OutputLimit } from './output-limit.js'
import { PhraseMasker } from './phrase-masker.js'
import { SecretRunMasker } from './secret-run-masker.js'
import { UrlCredentialsMasker } from './url-credentials-masker.js'
import { Utf8Repair } from './utf8-repair.js'

export interface TraceRules {
  /** Values that never appear in a trace, in none of the forms of `maskedForms`. */
  secrets: readonly string[]
  /** Beginnings of tokens beside the usual ones (`features.token_mask_prefixes`). */
  tokenPrefixes: readonly string[]
  /** Bytes of trace that are kept, before a notice and the last lines. */
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

/** The way of log bytes before they are kept, in this order (runner protocol, 4.6 and 4.3). */
export interface TraceFilter extends ByteFilter {
  /** Counts bytes that went through a filter of the same rules before: the text goes on behind them. */
  resume(chunk: Buffer): void
  /** What such a filter left out of the text when it was settled; undefined while it was nothing. */
  readonly leftOut: LimitState | undefined
  /** To be called behind `resume`, with `leftOut` of the filter before. */
  restore(leftOut: LimitState): void
  /** Has more values never appear; to be called where nothing is held back, behind `settle`. */
  hide(secrets: readonly string[]): void
  /** A place where no secret can be split: gives what was held back, and the text goes on. */
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
