import type { Message } from 'grammy/types'
import { type OwnFile, readOwnFile } from '../../../exports/own-file.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import type { BotContext } from '../../chat/context.ts'
import { button, homeButton } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { ownHeadings } from '../../words/column-headings.ts'
import { showPreview } from './list-preview.ts'
import * as exportTexts from './own-file-words.ts'

/**
 * Answers a table that this bot exported. It orders nothing until a button is pressed. @returns false if the text is
 * not such a table.
 */
export const takeOwnFile = (ctx: BotContext, text: string): boolean => {
  const own = readOwnFile(text, ownHeadings)
  if (!own) return false
  const again = own.again && button(exportTexts.orderTheseAgain(own.again.count), { do: 'own_file' })
  ctx.talk.say({
    text: exportTexts.ownFile,
    rows: [[...(again ? [again] : []), homeButton]],
    replyTo: ctx.msgId ?? null,
  })
  return true
}

/** Makes a preview of the orders in an exported table. The message with the pressed button is a reply to the table. */
export const orderAgain = async (ctx: BotContext, person: Person): Promise<void> => {
  const sent = ctx.callbackQuery?.message?.reply_to_message
  ctx.talk.aside(async () => {
    const own = sent ? await read(ctx.services, sent) : null
    if (!own?.again) return ctx.talk.say(exportTexts.ownFileGone)
    const cause = `own-file:${ctx.talk.chatId}:${ctx.msgId}`
    const list = { text: own.again.text, fixedBundleId: null }
    showPreview(ctx, await ctx.services.lists.draft(person, cause, list))
  })
}

const read = async ({ readFile }: Services, { document, text }: Message): Promise<OwnFile | null> => {
  if (!document) return readOwnFile(text ?? '', ownHeadings)
  // The file was searched for secrets when it arrived.
  const reading = await readFile(document, async () => false)
  return reading.kind === 'text' ? readOwnFile(reading.text, ownHeadings) : null
}
