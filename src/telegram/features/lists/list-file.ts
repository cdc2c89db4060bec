import type { Document } from 'grammy/types'
import { type ListAnswers, noAnswers } from '../../../domain/list-draft.ts'
import { bare } from '../../../lists/reading/lines-in-context.ts'
import { writtenSize } from '../../../lists/size.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import type { NewList } from '../../../orders/listing/new-list.ts'
import { type BotContext, forgetQuestion, messageCause, type Question } from '../../chat/context.ts'
import { type AlbumPart, takePart } from '../../chat/files/album.ts'
import { personOf } from '../../chat/person.ts'
import { fileNotRead, pictureNotRead, sheetNotes } from '../../words/file.ts'
import { admit } from '../guards/order-denial.ts'
import { showPreview } from './list-preview.ts'
import { takeOwnFile } from './own-file.ts'

/**
 * Takes a file or a picture without a caption, unless a secret is asked for. @returns false if the person has no
 * account, so that the file cannot be an order.
 */
export const takeFile = async (ctx: BotContext, question: Question | null): Promise<boolean> => {
  const person = await personOf(ctx)
  if (!person) return false
  const document = ctx.message?.document
  if (!document) {
    await refusePicture(ctx)
    return true
  }
  const chosen = question?.what === 'list' || question?.what === 'phone' ? question.bundleId : null
  const caption = ctx.message?.caption ?? ''
  await forgetQuestion(ctx)
  const part = await takePart(ctx, { caption, bundleId: chosen })
  if (await admit(ctx, person)) readDocument(ctx, { person, document, caption, chosen, part })
  return true
}

/**
 * Says that a picture cannot be read. For an album, this is said once, and not at all if one of the pictures has a
 * caption.
 */
const refusePicture = async (ctx: BotContext): Promise<void> => {
  const part = await takePart(ctx, { caption: '', bundleId: null })
  if (!part) ctx.talk.say(pictureNotRead)
  else if (part.isFirst)
    ctx.talk.aside(async () => {
      const { caption } = await part.whole()
      if (caption === '') ctx.talk.say(pictureNotRead)
    })
}

interface Sent {
  person: Person
  document: Document
  caption: string
  /** The bundle that was chosen before the file was sent. */
  chosen: number | null
  part: AlbumPart | null
}

const readDocument = (ctx: BotContext, sent: Sent): void =>
  ctx.talk.aside(async () => {
    const { person, document, part } = sent
    const reading = await ctx.readDocument(document)
    if (reading.kind === 'secret') return
    if (reading.kind !== 'text') return ctx.talk.say(fileNotRead(reading))
    if (takeOwnFile(ctx, reading.text)) return
    const album = await part?.whole()
    const caption = sent.caption || (album?.caption ?? '')
    const list = withCaption(reading.text, caption, sent.chosen ?? album?.bundleId ?? null)
    // A file with its own caption does not change with the album's caption.
    if (album && caption === album.caption) list.answers.album = album.id
    const notes = reading.sheet ? sheetNotes(reading.sheet) : []
    if (notes.length > 0) ctx.talk.say(notes.join('\n'))
    showPreview(ctx, await ctx.services.lists.draft(person, messageCause(ctx), list))
  })

/**
 * Adds the caption to the file's text. A size applies to the numbers without one. A network is added as a heading above
 * the list, so each line number is then one higher than in the file. Other words are ignored.
 */
export const withCaption = (
  text: string,
  caption: string,
  fixedBundleId: number | null,
): NewList & { answers: ListAnswers } => {
  const answers = { ...noAnswers, caption }
  const { kind, size, network } = bare(caption)
  if (kind === 'comment') return { text, fixedBundleId, answers }
  if (size && !network && kind !== 'pairs' && fixedBundleId === null) {
    const questions = { size: writtenSize(size.size) }
    return { text, fixedBundleId, answers: { ...answers, questions } }
  }
  return { text: `${caption}\n${text}`, fixedBundleId, answers }
}
