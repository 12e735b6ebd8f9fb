-- Which browser a sign-in is in, as its owner would call it: 'Firefox · Windows'. Null: unknown, or from before.

alter table sign_ins add column browser text;
