import {
  disablePerson as disable,
  giveHouse as give,
  listAllHouses as listHouses,
  listAllPeople as listPeople,
} from '@perfume/contract/houses';
import type { User } from '@perfume/contract/identity';
import { pathOf } from '@perfume/contract/page-paths';
import { parseUuid } from '@perfume/domain/uuid';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { newId } from '../db/core/ids.ts';
import { idOf } from '../http/path-id.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, sendJson, serve } from '../http/serve.ts';
import type { Identity } from '../identity/identity.ts';
import { emails } from '../mail/emails.ts';
import { disablePerson, giveHouse, isOperator, listAllHouses, listAllPeople } from './operator.store.ts';

const PAGE_LIMIT = 50;

/**
 * What the operator, who runs the server, does about houses and people. It opens no house to them. In the demo everybody
 * knows the password of the first account, so nobody is the operator.
 */
export function operatorRoutes(app: FastifyInstance, deps: Deps & { config: Config; identity: Identity }): void {
  const { db, config, identity } = deps;

  async function requireOperator(user: User): Promise<void> {
    if (config.demo || !(await isOperator(db.query, user.id))) throw new Problem('not_allowed');
  }

  serve(app, deps, listHouses, async ({ query, user, request, reply }) => {
    await requireOperator(user);
    const { limit = PAGE_LIMIT, cursor = '0' } = query;
    if (!/^[0-9]{1,15}$/.test(cursor)) throw notACursor();
    const { houses, next } = await listAllHouses(db.query, { limit, after: Number(cursor) });
    if (next !== null) reply.header('link', `</operator/houses?limit=${limit}&cursor=${next}>; rel="next"`);
    request.rowsRead = houses.length;
    return sendJson(reply, 200, houses);
  });

  serve(app, deps, listPeople, async ({ query, user, request, reply }) => {
    await requireOperator(user);
    const { limit = PAGE_LIMIT, cursor } = query;
    const after = cursor === undefined ? '' : parseUuid(cursor);
    if (after === null) throw notACursor();
    const { people, next } = await listAllPeople(db.query, { limit, after });
    if (next !== null) reply.header('link', `</operator/people?limit=${limit}&cursor=${next}>; rel="next"`);
    request.rowsRead = people.length;
    return sendJson(reply, 200, people);
  });

  serve(app, deps, disable, async ({ params, body, user, now, reply }) => {
    await requireOperator(user);
    const id = idOf(params, 'person_not_found');
    // Nobody could enable the account again.
    if (id === user.id) throw new Problem('not_allowed');
    const outcome = await disablePerson(db, { id, disabled: body.disabled, at: now });
    if (!outcome) throw new Problem('person_not_found');
    const { person, changed } = outcome;
    if (changed)
      identity.mailer.send(
        person.disabled
          ? emails.accountDisabled(person.email)
          : emails.accountEnabled(person.email, `${identity.origin()}/login`),
      );
    return sendJson(reply, 200, person);
  });

  serve(app, deps, give, async ({ params, body, user, now, reply }) => {
    await requireOperator(user);
    const action = { id: newId(now), actor: user, at: now, batch: null, undoes: null };
    const houseId = idOf(params, 'house_not_found');
    const userId = parseUuid(body.userId) ?? '';
    // The operator does not read the stock of others.
    if (userId === user.id) throw new Problem('not_allowed');
    const outcome = await giveHouse(db, { houseId, userId, action });
    if (!outcome.ok) throw new Problem(outcome.reason);
    const { house, owner, formerOwners } = outcome;
    identity.mailer.send(emails.madeOwner(owner.email, house.name, `${identity.origin()}/dashboard`));
    const change = { house: house.name, who: owner.name, became: 'owner' } as const;
    for (const to of formerOwners)
      identity.mailer.send(emails.ownersChanged(to, change, `${identity.origin()}${pathOf.settings}`));
    return sendJson(reply, 200, house);
  });
}

function notACursor(): Problem {
  return new Problem('invalid_query', { fields: { cursor: { code: 'not_a_cursor' } } });
}
