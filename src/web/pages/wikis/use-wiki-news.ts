import { MINUTE } from '../../../lib/time-units.js'
import { refresh, useRead } from '../../api/use-read.js'
import { useLive } from '../../live/use-live.js'
import { useSoon } from '../../live/use-soon.js'
import { ownerApi, wikiApi, type WikiOwner } from './wiki-owner.js'

/** Reads what is shown of a wiki again when others have written it. */
export function useWikiNews(owner: WikiOwner): void {
  const record = useRead<{ id: number }>(ownerApi(owner), { staleTime: MINUTE }).data
  const readSoon = useSoon(() => void refresh(wikiApi(owner)))
  const followed = record && `wiki/${owner.kind}/${record.id}`
  const onWiki = ({ topic }: { topic: string }) => {
    if (topic === followed) readSoon()
  }
  useLive(followed === undefined ? [] : [followed], { wiki: onWiki }, readSoon)
}
