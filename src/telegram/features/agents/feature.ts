import type { Person } from '../../../orders/buying/purchases.ts'
import type { ActOf } from '../../buttons/table.ts'
import { forgetQuestion } from '../../chat/context.ts'
import type { Handler } from '../../chat/handler.ts'
import type { Feature } from '../feature.ts'
import { leaving, member, owner } from '../guards/guards.ts'
import { isReferenceOrList } from '../guards/texts.ts'
import { takePrice } from './agent-price.ts'
import { pressAgents, refuseAgents, showAgents } from './agents.ts'
import { join, open, stay } from './invitation.ts'
import { askOwner } from './limit-ask.ts'
import { takeLimit } from './set-limit.ts'

const refuseAnswer: Handler<Person | null> = async (ctx, agent) => {
  await refuseAgents(ctx, agent)
  await forgetQuestion(ctx)
}

const forAgents = member<Extract<ActOf<'agents'>, { act: 'ask' }>>((ctx, person, act) =>
  askOwner(ctx, person, act.purchaseId),
)

const forOwners = owner(pressAgents, refuseAgents)

/** The agents of an account: people who order with an owner's wallet. */
export const agents = {
  commands: {
    agents: { run: owner(showAgents, refuseAgents), onlyShows: true },
  },
  presses: {
    agents: leaving((ctx, { act }) => {
      if (act.act === 'join') return join(ctx, act.secret)
      if (act.act === 'stay') return stay(ctx)
      return act.act === 'ask' ? forAgents(ctx, act) : forOwners(ctx, act)
    }),
  },
  questions: {
    agent_limit: {
      staysFor: isReferenceOrList,
      text: owner(takeLimit, refuseAnswer),
    },
    agent_price: {
      staysFor: isReferenceOrList,
      text: owner(takePrice, refuseAnswer),
    },
  },
  links: { a: open },
} satisfies Feature
