import { notFound } from '../../http/errors.js'
import { type KeyValue, openPairs } from './deliveries/hook-secrets.js'
import { type HookOwner, type HookRow } from './hook-store.js'
import { editHook, type HookDeps, requireHook } from './hooks.js'

/** The multi-valued settings of a hook, each with a name and a value that is not shown. */
const PAIRS = {
  url_variables: { name: 'URL variable', column: 'url_variables_encrypted' },
  custom_headers: { name: 'Custom header', column: 'custom_headers_encrypted' },
} as const
export type PairField = keyof typeof PAIRS

/** Selects one pair of one hook. */
export interface PairSelector {
  owner: HookOwner
  hookId: number
  field: PairField
  key: string
}

/** Adds a pair or changes its value. Throws 404 for an unknown hook and 422 for an invalid pair. */
export async function setPair(
  deps: HookDeps,
  selector: PairSelector,
  value: string,
): Promise<{ key: string }> {
  const { owner, hookId, field, key } = selector
  const hook = await requireHook(deps, owner, hookId)
  const others = Object.keys(pairsOf(deps, hook, field)).filter((name) => name !== key)
  await editHook(deps, owner, hookId, { [field]: [...others.map((name) => ({ key: name })), { key, value }] })
  return { key }
}

/** Throws 404 for an unknown pair, and 422 if the hook needs it. */
export async function deletePair(deps: HookDeps, selector: PairSelector): Promise<void> {
  const { owner, hookId, field, key } = selector
  const hook = await requireHook(deps, owner, hookId)
  const names = Object.keys(pairsOf(deps, hook, field))
  if (!names.includes(key)) throw notFound(PAIRS[field].name)
  const others = names.filter((name) => name !== key).map((name) => ({ key: name }))
  await editHook(deps, owner, hookId, { [field]: others })
}

function pairsOf({ secrets }: HookDeps, hook: HookRow, field: PairField): KeyValue {
  return openPairs(secrets, hook[PAIRS[field].column])
}
