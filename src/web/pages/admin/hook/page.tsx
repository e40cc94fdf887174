import { addressOf } from '../../../../addresses/address-of.js'
import { useTitle } from '../../../frame/document-title.js'
import { HookDetails } from '../../../records/hook-details.js'

/** A system hook. */
export function Page({ params: { id } }: { params: { id: string } }) {
  useTitle('System hook')
  return <HookDetails kind="system" path="/hooks" id={id} listAddress={addressOf('admin/hooks', {})} />
}
