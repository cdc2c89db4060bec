import { forgetQuestion } from '../../chat/context.ts'
import { readReference, referenceIn } from '../../chat/reference.ts'
import type { Feature } from '../feature.ts'
import { isReferenceOrList, isReferenceOrOrder } from '../guards/texts.ts'
import { pressComplaint, takePicture } from './complaint.ts'
import { isRepeat, pressEnquiry, refuseMedia, takeText } from './enquiry.ts'
import { follow, look, lookUp, openLink, openShared } from './lookup.ts'
import { lookUpWritten, status } from './status.ts'

/** Orders as customers see them: look-ups, shared links, following, and questions to the shop. */
export const following = {
  commands: {
    status: { run: status },
  },
  presses: {
    follow: (ctx, { orderId }) => follow(ctx, orderId, true),
    unfollow: (ctx, { orderId }) => follow(ctx, orderId, false),
    look: (ctx, { orderId }) => look(ctx, orderId),
    open_shared: (ctx, { orderId }) => openShared(ctx, orderId),
    enquiry: pressEnquiry,
    complaint: pressComplaint,
  },
  groups: { commands: ['status'], presses: ['follow', 'unfollow', 'look'] },
  links: { s: openLink },
  questions: {
    reference: {
      staysFor: isReferenceOrList,
      text: (ctx, { text }) => lookUpWritten(ctx, text),
    },
    // The texts for these two questions are taken by `replies`, which reads a message before any question does.
    ask: {},
    answer: {},
    complaint: {
      staysFor: isReferenceOrOrder,
      text: async (ctx, { question }) => void (await takePicture(ctx, question)),
      file: takePicture,
    },
  },
  replies: { text: takeText, media: refuseMedia, again: isRepeat },
  texts: {
    reference: async (ctx, { text }) => {
      const reference = readReference(text)
      if (!reference) return false
      await forgetQuestion(ctx)
      await lookUp(ctx, reference)
      return true
    },
    reference_within: async (ctx, { text }) => {
      const reference = referenceIn(text)
      if (reference) await lookUp(ctx, reference)
      return reference !== null
    },
  },
} satisfies Feature
