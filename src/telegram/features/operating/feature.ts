import { notYours, unknownCommand } from '../../words/unusable.ts'
import type { Feature } from '../feature.ts'
import { leaving, operator } from '../guards/guards.ts'
import { isReferenceOrList } from '../guards/texts.ts'
import { acceptInvitation, invite, pressOperator, showOverview, takeText } from './admin.ts'

const overview = operator(leaving(showOverview), (ctx) => ctx.talk.show(unknownCommand))

/** What operators see and switch, and their invitations. For all other people these commands do not exist. */
export const operating = {
  commands: {
    admin: { run: overview },
  },
  presses: {
    admin: overview,
    invite: operator(invite),
    operator: operator((ctx, _id, { act }) => pressOperator(ctx, act)),
  },
  questions: {
    operator: {
      staysFor: isReferenceOrList,
      text: operator(
        (ctx, _id, answer) => takeText(ctx, answer),
        leaving((ctx) => ctx.talk.say(notYours)),
      ),
    },
  },
  links: { i: acceptInvitation },
} satisfies Feature
