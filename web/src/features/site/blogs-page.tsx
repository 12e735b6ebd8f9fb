import { useWords } from '../../words/words.tsx';
import prose from './prose.module.css';
import section from './section.module.css';

const questions = ['javascript', 'sql', 'jwt'] as const;
const paragraphs = [1, 2, 3, 4] as const;

/** The blog page: three questions, each with a one-line answer and a long one. */
export function BlogsPage() {
  const { say, number } = useWords();
  return (
    <div className={`${section.page} ${prose.page}`}>
      <header className={prose.head}>
        <h1>{say('blogs.heading')}</h1>
        <p className={section.lead}>{say('blogs.lead')}</p>
        <nav aria-label={say('blogs.contents')} className={prose.contents}>
          {questions.map((question, i) => (
            <a key={question} href={`#${question}`}>
              <span className={prose.numeral} aria-hidden="true">
                {number(i + 1)}
              </span>
              {say(`blogs.${question}.question`)}
            </a>
          ))}
        </nav>
      </header>
      {questions.map((question) => (
        <article key={question} id={question} className={prose.row} aria-labelledby={`${question}-heading`}>
          <h2 id={`${question}-heading`}>{say(`blogs.${question}.question`)}</h2>
          <div className={prose.text}>
            <p className={prose.short}>{say(`blogs.${question}.short`)}</p>
            {paragraphs.map((paragraph) => (
              <p key={paragraph}>{say(`blogs.${question}.${paragraph}`)}</p>
            ))}
          </div>
        </article>
      ))}
    </div>
  );
}
