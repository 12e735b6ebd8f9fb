import { Component, type ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { EmptyShelf } from '../ui/empty-shelf.tsx';
import { useWords } from '../words/words.tsx';

/** What people see when a page breaks. React takes only a class for this. */
export class Crash extends Component<{ place: string; children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  /** Another page is another try. */
  override componentDidUpdate(before: { place: string }) {
    if (this.state.broken && before.place !== this.props.place) this.setState({ broken: false });
  }

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? <BrokenPage /> : this.props.children;
  }
}

function BrokenPage() {
  const { say } = useWords();
  return (
    <EmptyShelf text={say('crash.heading')} alert>
      <p>{say('crash.text')}</p>
      <Button look="primary" onClick={() => location.reload()}>
        {say('crash.reload')}
      </Button>
    </EmptyShelf>
  );
}
