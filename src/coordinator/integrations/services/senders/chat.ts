import { describeEvent, type Message } from '../describe-event.js'
import { type ChatFormat, formatMessage } from '../format-message.js'
import type { Happening, Sender } from './sender.js'

/** Messages in the format of a chat service, to the address of the webhook. */
export function chat(format: ChatFormat): Sender {
  return {
    send: async (happening) => {
      const message = await wantedMessage(happening)
      if (!message) return []
      return [
        { kind: 'payload', body: JSON.stringify(formatMessage(format, message, happening.settings.values)) },
      ]
    },
  }
}

/** The message about an event; undefined if the settings leave the event out. */
export async function wantedMessage(happening: Happening): Promise<Message | undefined> {
  const message = describeEvent(happening.event)
  return message && (await isWanted(happening, message)) ? message : undefined
}

/** Decides by the branches, and by whether successful pipelines are wanted. */
async function isWanted({ event, settings, facts }: Happening, { branch, color }: Message): Promise<boolean> {
  const isPipeline = event.text('object_kind') === 'pipeline'
  if (isPipeline && settings.flag('notify_only_broken_pipelines') === true && color !== 'danger') return false
  const wanted =
    settings.text('branches_to_be_notified') ||
    (settings.flag('notify_only_default_branch') ? 'default' : 'all')
  if (branch === undefined || wanted === 'all') return true
  const isDefault = (await facts.defaultBranch()) === branch
  if (wanted === 'default') return isDefault
  const isProtected = await facts.isProtected(branch)
  return wanted === 'protected' ? isProtected : isDefault || isProtected
}
