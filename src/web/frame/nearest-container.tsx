import { useEffect, useState } from 'preact/hooks'

import { addressOf } from '../../addresses/address-of.js'
import { type ContainerAbove, containersAbove } from '../../addresses/containers-above.js'
import { groupRecord, projectApi } from '../../addresses/first-reads.js'
import type { Group } from '../../coordinator/accounts/groups/schema.js'
import { RequestError } from '../api/client.js'
import { readOnce, useRead } from '../api/use-read.js'
import { LinkButton } from '../kit/button.js'
import { RequestAccess } from './request-access.js'

/** The part of the present address that the user may see: a link, and a request for access to the group. */
export function NearestPlace() {
  const [place, setPlace] = useState<ContainerAbove>()
  useEffect(() => {
    let isShown = true
    void nearestOf(containersAbove(location.pathname)).then((found) => {
      if (isShown) setPlace(found)
    })
    return () => void (isShown = false)
  }, [])
  const isGroup = place?.kind === 'group'
  const group = useRead<Group>(isGroup ? groupRecord(place.path) : undefined).data
  if (!place) return null
  return (
    <>
      <LinkButton href={addressOf('overview', { path: place.path })}>Go to {place.path}</LinkButton>
      {group && <RequestAccess group={group} />}
    </>
  )
}

async function nearestOf([place, ...further]: ContainerAbove[]): Promise<ContainerAbove | undefined> {
  if (!place) return undefined
  try {
    await readOnce(place.kind === 'project' ? projectApi(place.path) : groupRecord(place.path))
    return place
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return nearestOf(further)
    // Without a response there is no link to offer. The page already shows the problem.
    if (error instanceof RequestError) return undefined
    throw error
  }
}
