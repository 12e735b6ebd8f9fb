import { Component, type ReactNode } from 'react';

/** Around what a page can do without: if it breaks, or its code does not get here, the page stays as it is. */
export class Quiet extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? null : this.props.children;
  }
}
