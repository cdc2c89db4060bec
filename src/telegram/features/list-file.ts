import type { Document } from 'grammy/types'
import { bare } from '../../lists/placed-line.ts'
import { labelOf } from '../../lists/shelf.ts'
import { noAnswers } from '../../orders/list.ts'
import type { NewList } from '../../orders/list-draft.ts'
import type { Person } from '../../orders/purchases.ts'
import { type BotContext, forgetQuestion, messageCause, type Question } from '../context.ts'
import { personOf } from '../person.ts'
import type { Services } from '../services.ts'
import { fileNotRead, sheetNotes } from '../texts/file.ts'
import { mayOrder } from './disconnect.ts'
import { showPreview } from './preview.ts'

/** A file or a picture, for which no credential is waited. @returns false where nobody here could order by it. */
export const takeFile = async (
  ctx: BotContext,
  services: Services,
  question: Question | null,
): Promise<boolean> => {
  const person = await personOf(ctx, services)
  if (!person) return false
  const document = ctx.message?.document
  if (!document) {
    ctx.talk.say(fileNotRead({ kind: 'refused', code: 'unknown_kind', found: 'picture' }))
    return true
  }
  const chosen = question?.what === 'list' || question?.what === 'phone' ? question.bundleId : null
  await forgetQuestion(ctx, services)
  if (await mayOrder(ctx, services, person)) readDocument(ctx, services, { person, document, chosen })
  return true
}

interface Sent {
  person: Person
  document: Document
  /** The bundle that was chosen before. */
  chosen: number | null
}

const readDocument = (ctx: BotContext, services: Services, { person, document, chosen }: Sent): void =>
  ctx.talk.aside(async () => {
    const reading = await ctx.readDocument(document)
    if (reading.kind === 'secret') return
    if (reading.kind !== 'text') {
      ctx.talk.say(fileNotRead(reading))
      return
    }
    const list = withCaption(reading.text, ctx.message?.caption ?? '', chosen)
    const notes = reading.sheet ? sheetNotes(reading.sheet) : []
    if (notes.length > 0) ctx.talk.say(notes.join('\n'))
    showPreview(ctx, services, await services.lists.draft(person, messageCause(ctx), list))
  })

/**
 * What is written below the file: a size is for the numbers without one. A network is a heading above the list,
 * whose lines are then one further down than the rows of the file; idle words are none of it.
 */
const withCaption = (text: string, caption: string, fixedBundleId: number | null): NewList => {
  const { kind, size, network } = bare(caption)
  if (kind === 'comment') return { text, fixedBundleId }
  if (size && !network && kind !== 'pairs' && fixedBundleId === null) {
    const questions = { size: labelOf(size.size) }
    return { text, fixedBundleId, answers: { ...noAnswers, questions } }
  }
  return { text: `${caption}\n${text}`, fixedBundleId }
}
