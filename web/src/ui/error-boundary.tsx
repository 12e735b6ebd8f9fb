import { Component, type ReactNode } from 'react';

type Props = {
  children: ReactNode;
  /** What stands in the place of what broke; by itself nothing, for what a page can do without. */
  instead?: ReactNode;
  /** When this changes, what broke is tried again. */
  tryAgainOn?: string;
  onTryAgain?: () => void;
};

/**
 * If something inside breaks, or its code does not get here, the page around it stays as it is. It is tried again
 * when the browser is back online. React takes only a class for this.
 */
export class ErrorBoundary extends Component<Props, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override componentDidMount() {
    addEventListener('online', this.tryAgain);
  }

  override componentWillUnmount() {
    removeEventListener('online', this.tryAgain);
  }

  override componentDidUpdate(before: Props) {
    if (before.tryAgainOn !== this.props.tryAgainOn) this.tryAgain();
  }

  tryAgain = () => {
    if (!this.state.broken) return;
    this.props.onTryAgain?.();
    this.setState({ broken: false });
  };

  override render() {
    return this.state.broken ? this.props.instead : this.props.children;
  }
}
